// SPDX-License-Identifier: GPL-2.0-only
/* Options as users type them: shortened, misspelled, with units of time. */
#include "support.h"

#include <errno.h>

#include "util/options.h"
#include "util/suggest.h"

struct opts {
	bool json;
	bool hidden;
	const char *output;
	struct option_u64 duration;
	struct option_u64 delay;
	struct option_u64 wait;
	struct option_u64 least;
	struct option_u64 size;
};

/* Return: of options_parse(), for one argument or two. */
static int parse(struct opts *o, struct diag *diag, const char *first, const char *second)
{
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &o->json, "print JSON"),
		OPTION_FLAG('g', "jump", &o->hidden, NULL),
		OPTION_STRING('o', "output", "FILE", &o->output, "where to"),
		OPTION_SECONDS('d', "duration", "SECONDS", &o->duration, "end after this"),
		OPTION_SECONDS(0, "delay", "SECONDS", &o->delay, "begin after this"),
		OPTION_MS('w', "wait", "MS", &o->wait, "before it begins"),
		OPTION_US(0, "least", "US", &o->least, "no waits below"),
		OPTION_BYTES(0, "size", "SIZE", &o->size, "no more than this"),
		OPTION_END,
	};
	char *argv[] = { (char *)first, (char *)second, NULL };
	int argc = second ? 2 : 1;

	*o = (struct opts){ .output = NULL };
	return options_parse(specs, 0, &argc, argv, diag);
}

static void shortened(void **state)
{
	struct diag diag;
	struct opts o;

	assert_int_equal(parse(&o, &diag, "--j", NULL), 0);
	assert_true(o.json);
	assert_int_equal(parse(&o, &diag, "--out=x", NULL), 0);
	assert_string_equal(o.output, "x");
	assert_int_equal(parse(&o, &diag, "--du", "5"), 0);
	assert_int_equal(o.duration.value, 5000);
	assert_int_equal(parse(&o, &diag, "--d", "5"), -EINVAL);
	assert_string_equal(diag.text, "'--d' may be --duration or --delay");
	/* options without help are not shortened */
	assert_int_equal(parse(&o, &diag, "--jump", NULL), 0);
	assert_true(o.hidden && !o.json);
	assert_int_equal(parse(&o, &diag, "--jum", NULL), -EINVAL);
	assert_int_equal(parse(&o, &diag, "-g", NULL), 0);
	assert_true(o.hidden);
}

static void misspelled(void **state)
{
	static const struct {
		const char *typed;
		const char *text;
	} list[] = {
		{ "--durtion", "unknown option '--durtion'; did you mean --duration?" },
		{ "--ouptut=x", "unknown option '--ouptut'; did you mean --output?" },
		{ "--jsno", "unknown option '--jsno'; did you mean --json?" },
		{ "--colour", "unknown option '--colour'" },
		{ "--x", "unknown option '--x'" },
		{ "--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  "unknown option '--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'" },
	};
	struct diag diag;
	struct opts o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		assert_int_equal(parse(&o, &diag, list[i].typed, NULL), -EINVAL);
		assert_string_equal(diag.text, list[i].text);
	}
}

static void units_of_time(void **state)
{
	static const struct {
		const char *typed;
		uint64_t ms;	/* 0: refused */
	} list[] = {
		{ "30", 30000 }, { "1.5", 1500 }, { ".5s", 500 }, { "250ms", 250 }, { "5m", 300000 },
		{ "5min", 300000 }, { "2h", 7200000 }, { "24h", 86400000 }, { "25h", 0 },
		{ "0", 0 }, { "5x", 0 }, { "5mm", 0 }, { "-1", 0 }, { "nan", 0 }, { "", 0 },
		{ "1s ", 0 }, { "0.5ms", 0 },
	};
	struct diag diag;
	struct opts o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		assert_int_equal(parse(&o, &diag, "-d", list[i].typed), list[i].ms ? 0 : -EINVAL);
		if (list[i].ms)
			assert_int_equal(o.duration.value, list[i].ms);
	}
	assert_int_equal(parse(&o, &diag, "-d", "soon"), -EINVAL);
	assert_string_equal(diag.text, "--duration: 'soon' is not a time of at most a day, such as "
			    "30, 1.5s or 5m");
}

/* Numbers without a unit are perf's: milliseconds, microseconds. */
static void small_units_of_time(void **state)
{
	static const struct {
		const char *option;
		const char *typed;
		uint64_t value;
		bool wrong;
	} list[] = {
		{ "-w", "100", 100 }, { "-w", "0", 0 }, { "-w", "1.5", 1 }, { "-w", "2s", 2000 },
		{ "-w", "100ms", 100 }, { "-w", "1500us", 1 }, { "-w", "1m", 60000 },
		{ "-w", "24h", 86400000 }, { "-w", "25h", 0, true }, { "-w", "-1", 0, true },
		{ "-w", "soon", 0, true }, { "-w", "", 0, true },
		{ "--least", "10", 10 }, { "--least", "0", 0 }, { "--least", "10us", 10 },
		{ "--least", "5ms", 5000 }, { "--least", "1s", 1000000 }, { "--least", "4ns", 0, true },
	};
	struct diag diag;
	struct opts o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		const struct option_u64 *got = list[i].option[1] == 'w' ? &o.wait : &o.least;

		assert_int_equal(parse(&o, &diag, list[i].option, list[i].typed),
				 list[i].wrong ? -EINVAL : 0);
		assert_int_equal(got->set, !list[i].wrong);
		if (!list[i].wrong)
			assert_int_equal(got->value, list[i].value);
	}
	assert_int_equal(parse(&o, &diag, "--least", "soon"), -EINVAL);
	assert_string_equal(diag.text, "--least: 'soon' is not a time of at most a day, such as "
			    "100us, 10ms or 1s");
	assert_int_equal(parse(&o, &diag, "-w", "soon"), -EINVAL);
	assert_string_equal(diag.text, "--wait: 'soon' is not a time of at most a day, such as "
			    "500, 100ms or 1.5s");
}

static void units_of_memory(void **state)
{
	static const struct {
		const char *typed;
		uint64_t bytes;	/* 0: refused */
	} sizes[] = {
		{ "1", 1 }, { "4096", 4096 }, { "17B", 17 }, { "500K", 512000 },
		{ "500k", 512000 }, { "20M", 20 << 20 }, { "20m", 20 << 20 }, { "3G", 3ull << 30 },
		{ "010", 10 }, { "17179869183G", 17179869183ull << 30 },
		{ "0", 0 }, { "0K", 0 }, { "", 0 }, { "K", 0 }, { "-1", 0 }, { " 1", 0 },
		{ "1 K", 0 }, { "1KB", 0 }, { "1T", 0 }, { "1.5M", 0 }, { "0x10", 0 },
		{ "17179869184G", 0 }, { "18446744073709551616", 0 },
	};
	struct diag diag;
	struct opts o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		int want = sizes[i].bytes ? 0 : -EINVAL;

		assert_int_equal(parse(&o, &diag, "--size", sizes[i].typed), want);
		assert_int_equal(o.size.set, sizes[i].bytes != 0);
		if (sizes[i].bytes)
			assert_int_equal(o.size.value, sizes[i].bytes);
	}
	assert_int_equal(parse(&o, &diag, "--size", "1T"), -EINVAL);
	assert_string_equal(diag.text,
			    "--size: '1T' is not a size above 0, such as 500K, 20M or 1G");
}

static void suggestions(void **state)
{
	static const char *const words[] = { "record", "report", "flame", "top" };
	static const struct {
		const char *typed;
		const char *meant;
	} list[] = {
		{ "recrod", "record" }, { "reprot", "report" }, { "fame", "flame" },
		{ "flames", "flame" }, { "tp", "top" }, { "xyz", NULL }, { "", NULL },
		{ "t", NULL },
	};
	struct suggestion s;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		suggestion_init(&s, list[i].typed, strlen(list[i].typed));
		for (k = 0; k < ARRAY_SIZE(words); k++)
			suggestion_try(&s, words[k]);
		if (list[i].meant)
			assert_string_equal(s.best, list[i].meant);
		else
			assert_null(s.best);
	}
}

static const char *mode_word(unsigned int i)
{
	static const char *const words[] = { "auto", "bpf", "copy", NULL };

	return words[i];
}

/* The completions of @line; its last word begins after the last blank. */
static void complete_to(const char *line, unsigned int flags, const char *synopsis, const char *want)
{
	bool flag;
	const char *text;
	struct option_u64 number;
	struct option_pair pair;
	const struct option_spec specs[] = {
		OPTION_FLAG('a', "all", &flag, "all of it"),
		OPTION_FLAG('g', "jump", &flag, NULL),
		OPTION_STRING('o', "output", "OUT", &text, "where to"),
		OPTION_STRING(0, "mode", "MODE", &text, "how", .word = mode_word),
		OPTION_U64('n', "rows", "N", &number, "how many"),
		OPTION_PAIR(0, "raw", "MODE VADDR", &pair, "two words", .word = mode_word),
		OPTION_END,
	};
	char *copy = strdup(line), *at = copy, *argv[10], *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	int argc = 0;

	while (at)
		argv[argc++] = strsep(&at, " ");
	options_complete(specs, flags, synopsis, argc, argv, out);
	fclose(out);
	assert_string_equal(got, want);
	free(got);
	free(copy);
}

static void completed(void **state)
{
	static const struct {
		const char *line;
		const char *want;
	} list[] = {
		{ "-", "--all\tall of it\n--output\twhere to\n--mode\thow\n--rows\thow many\n"
		       "--raw\ttwo words\n--help\tprint this\n" },
		{ "--r", "--rows\thow many\n--raw\ttwo words\n" },
		{ "--he", "--help\tprint this\n" },
		{ "--jump", "" },
		{ "-a", "-a\tall of it\n" },
		{ "-g", "" },
		{ "-x", "" },
		{ "-ao", "" },
		{ "--nothing --mo", "--mode\thow\n" },
		/* values: in the same word as the option, and in the next */
		{ "--mode ", "auto\t\nbpf\t\ncopy\t\n" },
		{ "--mo b", "bpf\t\n" },
		{ "--mode=c", "--mode=copy\t\n" },
		{ "--mode auto,b", "auto,bpf\t\n" },
		{ "--mode=auto,b", "--mode=auto,bpf\t\n" },
		{ "--mode auto ", ":files \n" },
		{ "--mode=auto ", ":files \n" },
		{ "-o ", ":files \n" },
		{ "-ao x", ":files \n" },
		{ "-ox", ":files -o\n" },
		{ "-aox", ":files -ao\n" },
		{ "--output=x", ":files --output=\n" },
		{ "--output -a", ":files \n" },
		{ "--rows ", "" },
		{ "--rows 1 --al", "--all\tall of it\n" },
		{ "--raw b", "bpf\t\n" },
		{ "--raw bpf ", "" },
		{ "--raw=bpf ", "" },
		{ "--raw bpf 0 ", ":files \n" },
		{ "-- -", ":files \n" },
		{ "x y", ":files \n" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++)
		complete_to(list[i].line, 0, "[--raw MODE VADDR] [-o OUT] [-n N | --all] FILE", list[i].want);
}

static void completed_operands(void **state)
{
	static const char three[] = "[-n N] -a\n[...] --mode MODE\n[...] [--] COMMAND [ARGUMENT...]";

	complete_to("", 0, "", "");
	complete_to("", 0, "[-p PID] [-o FILE] [...] [SELECTOR...]", "");
	complete_to("", 0, "-o OUT DIR", ":folders \n");
	complete_to("", 0, "--all\n[OPTION...] PID[,PID...]", ":processes \n");
	complete_to("a", 0, "USER", ":users \n");
	complete_to("ls", OPTIONS_STOP_AT_OPERAND, three, ":command 1\n");
	complete_to("-n 1 ls -", OPTIONS_STOP_AT_OPERAND, three, ":command 2\n");
	complete_to("-a -- ls -l ", OPTIONS_STOP_AT_OPERAND, three, ":command 3\n");
	complete_to("-a -- ", OPTIONS_STOP_AT_OPERAND, three, ":command 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortened),
		cmocka_unit_test(misspelled),
		cmocka_unit_test(units_of_time),
		cmocka_unit_test(small_units_of_time),
		cmocka_unit_test(units_of_memory),
		cmocka_unit_test(suggestions),
		cmocka_unit_test(completed),
		cmocka_unit_test(completed_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
