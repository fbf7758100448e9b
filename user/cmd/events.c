// SPDX-License-Identifier: GPL-2.0-only
/* ustack events: lists images that have no table. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>

#include "host/module/module.h"
#include "reason.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

struct events_opts {
	bool json;
	bool follow;
};

/*
 * Decodes the kernel's new_encode_dev(): 12 bits of the major number stand among 20 of the
 * minor number.
 */
static unsigned int dev_major(uint64_t dev)
{
	return (unsigned int)(dev >> 8) & 0xfff;
}

static unsigned int dev_minor(uint64_t dev)
{
	return (unsigned int)((dev & 0xff) | ((dev >> 12) & 0xfff00));
}

static const char *reason_name(unsigned int reason)
{
	const char *name = ustack_reason_name(reason);

	return name ? name : "UNKNOWN";
}

/* The path comes last, as in /proc/PID/maps, because it may contain blanks. */
static void print_event(const struct ustack_event *e)
{
	char id[2 * sizeof(e->build_id) + 1], path[8192];

	text_hex(e->build_id, e->build_id_len, id, sizeof(id));
	printf("%-40s %-14s ", *id ? id : "-", reason_name(e->reason));
	if (e->vdso)
		printf("[vdso]\n");
	else if (*e->path)
		printf("%s\n", text_escape(e->path, path, sizeof(path)));
	else
		printf("[%u:%u inode %" PRIu64 "]\n", dev_major(e->dev),
		       dev_minor(e->dev), (uint64_t)e->ino);
}

static void json_event(const struct ustack_event *e)
{
	char id[2 * sizeof(e->build_id) + 1], dev[TEXT_SHORT];
	struct json j;

	snprintf(dev, sizeof(dev), "%u:%u", dev_major(e->dev), dev_minor(e->dev));
	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "path", e->path);
	json_string(&j, "build_id", text_hex(e->build_id, e->build_id_len, id,
					     sizeof(id)));
	json_string(&j, "reason", reason_name(e->reason));
	json_bool(&j, "vdso", e->vdso);
	json_u64(&j, "pid", e->pid);
	json_u64(&j, "start", e->start);
	json_u64(&j, "end", e->end);
	json_string(&j, "dev", dev);
	json_u64(&j, "ino", e->ino);
	json_u64(&j, "file_size", e->file_size);
	json_object_end(&j);
	json_end(&j);
}

static int show(struct module_events *ev, const struct events_opts *o,
		struct diag *diag)
{
	const struct ustack_event *e;
	int err;

	while (!ferror(stdout)) {
		err = module_events_next(ev, o->follow, &e, diag);
		if (err == -EAGAIN)
			return 0;
		if (err == -EINTR)
			continue;
		if (err)
			return err;
		/* an event type that a newer module has added */
		if (e->type != USTACK_EVENT_NO_TABLE)
			continue;
		if (o->json)
			json_event(e);
		else
			print_event(e);
	}
	return 0;
}

int cmd_events(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack events",
		.synopsis = "[--json] [--follow]",
		.about = "Lists the images that were met and have no unwind table, one a line:\n"
			 "build id, why there is none, path.",
	};
	struct events_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_FLAG('f', "follow", &o.follow,
			    "wait for more until Ctrl-C"),
		OPTION_FLAG(0, "json", &o.json, "print JSON, one object a line"),
		OPTION_END,
	};
	_cleanup_(module_events_release) struct module_events ev = {
		.m = MODULE_INIT,
	};
	struct diag diag;
	int status, err;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	if (o.follow)
		setvbuf(stdout, NULL, _IOLBF, 0);
	err = module_events_open(&ev, &diag);
	if (!err)
		err = show(&ev, &o, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}
