// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for people: mangled names of three languages, names beyond the limits, arguments of
 * templates that are left out, and short names for types of the standard library: the
 * prototype's examples, every template of the table, and names that only look similar.
 */
#include "support.h"

#include "formats/names/demangle.h"
#include "formats/names/stl.h"
#include "formats/names/style.h"

#define STRING "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"
#define STRING_11 \
	"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static void assert_text(const char *name, bool no_params, const char *want)
{
	char text[DEMANGLE_MAX_TEXT];
	size_t len = demangle(name, no_params, text);

	if (!want) {
		assert_int_equal(len, 0);
		return;
	}
	if (!len)
		fail_msg("%s was not demangled", name);
	assert_string_equal(text, want);
	assert_int_equal(len, strlen(want));
}

static void languages(void **state)
{
	assert_text("_Z3fooi", false, "foo(int)");
	assert_text("_ZNK1A1bIiEEvT_", false, "void A::b<int>(int) const");
	assert_text("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", true,
		    "std::endl<char, std::char_traits<char> >");
	assert_text("_ZTV3foo", false, "vtable for foo");
	assert_text("_ZNSs6appendEPKc", false, "std::string::append(char const*)");
	assert_text("_GLOBAL__I__Z3foov", false, "global constructors keyed to foo()");
	assert_text("_ZN4core3fmt9Formatter3pad17h5d1c5b1c0b9e4a3fE", false,
		    "core::fmt::Formatter::pad");
	assert_text("_ZN60_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$"
		    "4drop17h0123456789abcdefE", false,
		    "<alloc::vec::Vec<T> as core::ops::Drop>::drop");
	/* it has no hash: C++ */
	assert_text("_ZN4core3pad17h0000000000000000E", false,
		    "core::pad::h0000000000000000");
	assert_text("_RNvCs1234_7mycrate3foo", false, "mycrate::foo");
	assert_text("_RINvNtC3std3mem8align_ofNtNtC3std3mem4DropE", false,
		    "std::mem::align_of::<std::mem::Drop>");
	assert_text("_RNqC1au10Mnchen_3ya", false, "a::M\xc3\xbcnchen");
	assert_text("_D4test3fooAa", false, "test.foo");
	assert_text("_Dmain", false, "D main");
}

static void clones_and_versions(void **state)
{
	assert_text("_Z3foov.cold", false, "foo() [clone .cold]");
	assert_text("_Z3foov.part.0.cold", true, "foo [clone .part.0] [clone .cold]");
	assert_text("_Z3foov.constprop.0", true, "foo [clone .constprop.0]");
	assert_text("_Z3foov@@LIB_1.2", false, "foo()@@LIB_1.2");
	assert_text("_Z3foov@LIB_1.2", true, "foo@LIB_1.2");
}

static void not_mangled(void **state)
{
	static const char *const names[] = {
		"", "_", "main", "_start", "_Z", "_ZN", "_Zfoo", "_Z3fo", "_Z3foovXY", "_R",
		"_Rfoo", "_RNvC3foo", "_D", "_D3fo", "_Direct", "foo(int)", "i", "St6vector",
		"@@LIB", "_Z@@LIB", "_GLOBAL_OFFSET_TABLE_", "_GLOBAL__sub_I_main",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_text(names[i], false, NULL);
		assert_text(names[i], true, NULL);
	}
}

/* @head, @n times @body, @tail */
static char *repeat(const char *head, const char *body, unsigned int n, const char *tail)
{
	size_t len = strlen(body);
	char *s = malloc(strlen(head) + n * len + strlen(tail) + 1), *end = stpcpy(s, head);

	for (; n--; end += len)
		memcpy(end, body, len);
	strcpy(end, tail);
	return s;
}

static void assert_repeated(const char *head, const char *body, unsigned int n,
			    const char *tail, bool good)
{
	char *name = repeat(head, body, n, tail), text[DEMANGLE_MAX_TEXT];

	if (good != !!demangle(name, false, text))
		fail_msg("%s was%s demangled", name, good ? " not" : "");
	free(name);
}

static void lengths(void **state)
{
	assert_repeated("_Z1f", "i", DEMANGLE_MAX_CPLUS - 4, "", true);
	assert_repeated("_Z1f", "i", DEMANGLE_MAX_CPLUS - 3, "", false);
	assert_repeated("_RNvC1a4076", "f", DEMANGLE_MAX_RUST - 20, "", true);
	assert_repeated("_RNvC1a4086", "f", 4086, "", false);
	assert_repeated("_D4test1012", "f", 1012, "i", true);
	assert_repeated("_D4test1013", "f", 1013, "i", false);
	/* a version counts only in the text */
	assert_repeated("_Z1fv@", "V", DEMANGLE_MAX_TEXT - 5, "", true);
	assert_repeated("_Z1fv@", "V", DEMANGLE_MAX_TEXT - 4, "", false);
	assert_repeated("_", "@", 2 * DEMANGLE_MAX_TEXT, "", false);
	assert_repeated("_Z", "i", DEMANGLE_MAX_RUST, "@", false);
}

static void assert_long(const char *name, bool good)
{
	char text[DEMANGLE_MAX_TEXT];

	if (good != !!demangle(name, false, text))
		fail_msg("%s was%s demangled", name, good ? " not" : "");
}

/* A type of two times the type before, @n times. */
static void double_cplus(unsigned int n, bool good)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z1f1AIiiE";
	unsigned int i;

	for (i = 0; i < n; i++)
		sprintf(name + strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
	assert_long(name, good);
}

/* "B" and a number: the text that starts there */
static void put_reference(char *name, size_t to)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t v = to - strlen("_R") - 1;

	name += strlen(name);
	if (v >= 62)
		sprintf(name, "B%c%c_", digits[v / 62], digits[v % 62]);
	else
		sprintf(name, "B%c_", digits[v]);
}

static void double_rust(const char *type, unsigned int n, bool good)
{
	char name[4096] = "_RINvC1a1f";
	size_t last = strlen(name), now;

	strcat(name, type);
	while (n--) {
		now = strlen(name);
		strcat(name, "T");
		put_reference(name, last);
		put_reference(name, last);
		strcat(name, "E");
		last = now;
	}
	strcat(name, "E");
	assert_long(name, good);
}

static void double_d(unsigned int n, bool good)
{
	char name[2048] = "_D1a1fFHii";
	size_t last = strlen("_D1a1fF"), now;
	unsigned int i;

	while (n--) {
		now = strlen(name);
		strcat(name, "H");
		for (i = 0; i < 2; i++)
			sprintf(name + strlen(name), "Q%c", (int)('a' + strlen(name) - last));
		last = now;
	}
	strcat(name, "Zv");
	assert_long(name, good);
}

/* Names of some hundred bytes whose texts have millions of bytes and more. */
static void doubling(void **state)
{
	char *name;

	double_cplus(10, true);
	double_cplus(30, false);
	double_rust("Tuu", 0, false);
	double_rust("TuuE", 10, true);
	double_rust("TuuE", 100, false);
	/*
	 * memory that libiberty must free: the sanitizer finds leaks. The text is full inside
	 * it, because the name has little else.
	 */
	name = repeat("NtC1au1004", "f", 1000, "_3ya");
	double_rust(name, 3, true);
	double_rust(name, 100, false);
	free(name);
	double_rust("NtC1au10Mnchen_3ya", 10, true);
	double_rust("NtC1au10Mnchen_3ya", 100, false);
	/* The demangler of D cannot be interrupted, so it is not started */
	double_d(6, true);
	double_d(13, false);
	double_d(100, false);
	/* references to identifiers may be repeated at will */
	assert_repeated("_D1a1fF", "S1bQc", 100, "Zv", true);
}

/* Arguments that are read twice at each level. */
static void rereading(void **state)
{
	char name[DEMANGLE_MAX_CPLUS];
	unsigned int n, i;

	assert_text("_ZN1AcvSt6vectorIiSaIiEEEv", false,
		    "A::operator std::vector<int, std::allocator<int> >()");
	assert_text("_ZN1AIiEcvT_I1BEI1CEEv", false, "A<int>::operator C<B><C>()");
	for (n = 1; n < 40; n++) {
		strcpy(name, "_ZN1A");
		for (i = 0; i < n; i++)
			strcat(name, "cvT_IL_ZN1A");
		strcat(name, "cvi");
		for (i = 0; i < n; i++)
			strcat(name, "EvEE");
		strcat(name, "Ev");
		if (n > DEMANGLE_MAX_REREADS)
			assert_long(name, false);
		else
			demangle(name, false, (char[DEMANGLE_MAX_TEXT]){ 0 });
	}
	/* not a conversion operator: read once */
	assert_repeated("_Z1fI1AEv", "T_IiE", 100, "", true);
}

static void assert_collapsed(const char *text, const char *want)
{
	char ret[DEMANGLE_MAX_TEXT];
	size_t len = demangle_collapse(text, ret);

	assert_int_equal(len, want ? strlen(want) : 0);
	if (want)
		assert_string_equal(ret, want);
}

static void collapsed(void **state)
{
	assert_collapsed("a<b>::c<d<e>, f>(g<h> const&)", "a<...>::c<...>(g<...> const&)");
	assert_collapsed("operator< <int>(x<i>)", "operator< <...>(x<...>)");
	assert_collapsed("operator<<(std::basic_ostream<char>&)",
			 "operator<<(std::basic_ostream<...>&)");
	assert_collapsed("A::operator-><int>()", "A::operator-><...>()");
	assert_collapsed("A::operator>>=<int>()", "A::operator>>=<...>()");
	assert_collapsed("A::operator()<int>(int)", "A::operator()<...>(int)");
	assert_collapsed("A::operator,<int>(int)", "A::operator,<...>(int)");
	assert_collapsed("operator std::vector<int>()", "operator std::vector<...>()");
	assert_collapsed("f<(1)<(2)>(int)", "f<...>(int)");
	assert_collapsed("f<&(A::b(int)), (C)1>(int)", "f<...>(int)");
	assert_collapsed("a<>::b<c>()", "a<>::b<...>()");
	assert_collapsed("foo[abi:cxx11]<int>()", "foo[abi:cxx11]<...>()");
	assert_collapsed("{lambda(a<b>)#1}::operator()(a<b>) const",
			 "{lambda(a<...>)#1}::operator()(a<...>) const");
	assert_collapsed("<alloc::vec::Vec<T> as core::ops::Drop>::drop",
			 "<alloc::vec::Vec<...> as core::ops::Drop>::drop");
	assert_collapsed("std::mem::align_of::<std::mem::Drop>", "std::mem::align_of::<...>");
	assert_collapsed("f<fn(A) -> B>", "f<...>");
	assert_collapsed("foo(int)", NULL);
	assert_collapsed("a<b", NULL);
	assert_collapsed("(a<b)c", NULL);
}

static void collapsed_is_bounded(void **state)
{
	char ret[DEMANGLE_MAX_TEXT];
	char *s = repeat("", "a<i>", DEMANGLE_MAX_TEXT / 6, "");

	/* "..." is longer than "i" */
	assert_int_equal(strlen(s) * 6 / 4, demangle_collapse(s, ret));
	free(s);
	s = repeat("", "a<i>", DEMANGLE_MAX_TEXT / 6 + 1, "");
	assert_int_equal(demangle_collapse(s, ret), 0);
	free(s);
	s = repeat("a", "<a", SCAN_MAX_DEPTH, "");
	s = realloc(s, 4 * SCAN_MAX_DEPTH + 8);
	while (strlen(s) < 3 * SCAN_MAX_DEPTH + 1)
		strcat(s, ">");
	assert_int_equal(demangle_collapse(s, ret), strlen("a<...>"));
	memmove(s + 2, s, strlen(s) + 1);
	memcpy(s, "a<", 2);
	strcat(s, ">");
	assert_int_equal(demangle_collapse(s, ret), 0);
	free(s);
}

static void assert_short(const char *name, const char *want)
{
	static struct stl stl;
	size_t room = strlen(name) + 1, len;
	char *once = malloc(room), *twice;

	memset(&stl, 0xa5, sizeof(stl));
	len = stl_shorten(&stl, name, once);
	assert_string_equal(once, want);
	assert_int_equal(len, strlen(want));
	twice = malloc(len + 1);
	stl_shorten(&stl, once, twice);
	assert_string_equal(twice, want);
	free(once);
	free(twice);
}

/* Names from the prototype's shortencpp.py, where they are in comments and its table. */
static void prototypes(void **state)
{
	assert_short("std::vector<std::string, std::allocator<std::string > >::~vector()",
		     "std::vector<std::string>::~vector()");
	assert_short("std::__split_buffer<AA, std::allocator<AA> >::clear()",
		     "std::__split_buffer<AA>::clear()");
	assert_short("std::__1::" "basic_string<char, std::__1::char_traits<char>, "
		     "std::__1::allocator<char> >::size() const", "std::string::size() const");
	assert_short("std::basic_stringbuf<char, std::char_traits<char>, std::allocator<char> >",
		     "std::stringbuf");
	assert_short("std::basic_istream<char, std::char_traits<char> >", "std::istream");
	assert_short("std::basic_ostream<char, std::char_traits<char> >", "std::ostream");
	assert_short("std::basic_iostream<char, std::char_traits<char> >", "std::iostream");
	assert_short("std::map<int, A, std::less<int>, std::allocator<std::pair<int const, A> > >",
		     "std::map<int, A>");
	assert_short("std::multimap<int, A, std::less<int>, "
		     "std::allocator<std::pair<const int, A>>>", "std::multimap<int, A>");
	/* names for which it goes wrong, or not far enough */
	assert_short("std::__split_buffer<AA, std::allocator<AA>&>::clear()",
		     "std::__split_buffer<AA, std::allocator<AA>&>::clear()");
	assert_short("std::basic_ostringstream<char, std::char_traits<char>, std::allocator<char> >",
		     "std::ostringstream");
	assert_short("f<std::vector<int, std::allocator<int> > >()", "f<std::vector<int> >()");
	assert_short("std::__10::x", "std::__10::x");
}

/* Templates with all kinds of arguments, so that every row of the table is tested. */
static const char *const of_allocator[] = {
	"vector", "deque", "list", "forward_list", "_Vector_base", "_Deque_base",
	"_List_base", "_Fwd_list_base", "__vector_base", "__deque_base",
	"__list_imp", "__split_buffer",
};
static const char *const streams[] = {
	"ios", "istream", "ostream", "iostream", "streambuf", "filebuf", "ifstream",
	"ofstream", "fstream", "string_view",
};
static const char *const of_strings[] = {
	"string", "stringbuf", "istringstream", "ostringstream", "stringstream",
};
static const char *const others[][2] = {
	{ "set<A, std::less<A>, std::allocator<A> >", "set<A>" },
	{ "multiset<A, std::less<A>, std::allocator<A>>", "multiset<A>" },
	{ "unordered_set<A, std::hash<A>, std::equal_to<A>, std::allocator<A> >",
	  "unordered_set<A>" },
	{ "unordered_multiset<A, std::hash<A>, std::equal_to<A>, std::allocator<A> >",
	  "unordered_multiset<A>" },
	{ "unordered_map<A, B, std::hash<A>, std::equal_to<A>, "
	  "std::allocator<std::pair<A const, B> > >", "unordered_map<A, B>" },
	{ "unordered_multimap<A, B, std::hash<A>, std::equal_to<A>, "
	  "std::allocator<std::pair<A const, B> > >", "unordered_multimap<A, B>" },
	{ "stack<A, std::deque<A, std::allocator<A> > >", "stack<A>" },
	{ "queue<A, std::deque<A, std::allocator<A> > >", "queue<A>" },
	{ "priority_queue<A, std::vector<A, std::allocator<A> >, std::less<A> >",
	  "priority_queue<A>" },
	{ "unique_ptr<A, std::default_delete<A> >", "unique_ptr<A>" },
	{ "basic_regex<char, std::__cxx11::regex_traits<char> >", "regex" },
	{ "basic_regex<wchar_t, std::regex_traits<wchar_t> >", "wregex" },
	{ "match_results<char const*, std::allocator<std::sub_match<char const*> > >",
	  "match_results<char const*>" },
	{ "istream_iterator<int, char, std::char_traits<char>, long>",
	  "istream_iterator<int>" },
	{ "ostream_iterator<int, char, std::char_traits<char> >", "ostream_iterator<int>" },
	{ "istreambuf_iterator<char, std::char_traits<char> >",
	  "istreambuf_iterator<char>" },
	{ "ostreambuf_iterator<char, std::char_traits<char> >",
	  "ostreambuf_iterator<char>" },
#define GET(x) { x "_get<char, std::istreambuf_iterator<char, std::char_traits<char> > >", \
	x "_get<char>" }
#define PUT(x) { x "_put<char, std::ostreambuf_iterator<char, std::char_traits<char> > >", \
	x "_put<char>" }
	GET("num"), PUT("num"), GET("time"), PUT("time"), GET("money"), PUT("money"),
};

static void all_templates(void **state)
{
	char name[256], want[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(of_allocator); i++) {
		sprintf(name, "std::%s<int*, std::allocator<int*> >::f()", of_allocator[i]);
		sprintf(want, "std::%s<int*>::f()", of_allocator[i]);
		assert_short(name, want);
	}
	for (i = 0; i < ARRAY_SIZE(streams); i++) {
		sprintf(name, "std::basic_%s<wchar_t, std::char_traits<wchar_t> >::f()", streams[i]);
		sprintf(want, "std::w%s::f()", streams[i]);
		assert_short(name, want);
	}
	for (i = 0; i < ARRAY_SIZE(of_strings); i++) {
		sprintf(name, "std::__cxx11::basic_%s<char, std::char_traits<char>, "
			"std::allocator<char> >::f()", of_strings[i]);
		sprintf(want, "std::%s::f()", of_strings[i]);
		assert_short(name, want);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		sprintf(name, "std::%s", others[i][0]);
		sprintf(want, "std::%s", others[i][1]);
		assert_short(name, want);
	}
}

static void characters(void **state)
{
	assert_short("std::basic_string<char8_t, std::char_traits<char8_t>, std::allocator<char8_t> >",
		     "std::u8string");
	assert_short("std::basic_string_view<char16_t, std::char_traits<char16_t> >",
		     "std::u16string_view");
	assert_short("std::basic_string_view<char32_t>", "std::u32string_view");
	assert_short("std::basic_string<A, std::char_traits<A>, std::allocator<A> >",
		     "std::basic_string<A>");
	/* the standard has no name for it */
	assert_short("std::basic_ostream<char16_t, std::char_traits<char16_t> >",
		     "std::basic_ostream<char16_t>");
	assert_short("std::basic_string<char, my::traits, std::allocator<char> >",
		     "std::basic_string<char, my::traits>");
	assert_short("std::basic_string<char, std::char_traits<char>, my::allocator<char> >",
		     "std::basic_string<char, std::char_traits<char>, my::allocator<char> >");
}

static void nested(void **state)
{
	assert_short("std::vector<" STRING_11 ", std::allocator<" STRING_11 " > >::push_back("
		     STRING_11 " const&)", "std::vector<std::string>::push_back(std::string const&)");
	assert_short("std::map<" STRING ", std::vector<int, std::allocator<int> >, std::less<" STRING
		     " >, std::allocator<std::pair<" STRING " const, std::vector<int, "
		     "std::allocator<int> > > > >::operator[](" STRING " const&)",
		     "std::map<std::string, std::vector<int>>::operator[](std::string const&)");
	assert_short("std::vector<int, std::allocator<int> >::iterator "
		     "std::find<std::vector<int, std::allocator<int> >::iterator>()",
		     "std::vector<int>::iterator std::find<std::vector<int>::iterator>()");
	assert_short(STRING_11 "::basic_string()", "std::string::basic_string()");
	assert_short("std::basic_ostream<char, std::char_traits<char> >& "
		     "std::operator<< <std::char_traits<char> >(std::basic_ostream<char, "
		     "std::char_traits<char> >&, char const*)",
		     "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)");
	assert_short("std::filesystem::__cxx11::path::path()", "std::filesystem::path::path()");
	assert_short("std::chrono::_V2::system_clock::now()", "std::chrono::system_clock::now()");
	assert_short("std::__1::__1::x", "std::x");
	assert_short("{lambda(" STRING "*)#1}::operator()(" STRING "*) const",
		     "{lambda(std::string*)#1}::operator()(std::string*) const");
}

/* A space between two '>' of which one was removed */
static void left_over(void **state)
{
	assert_short("std::hash<" STRING " >", "std::hash<std::string>");
	assert_short("f<" STRING_11 " >(" STRING " )", "f<std::string>(std::string )");
	assert_short("f<a<b> >", "f<a<b> >");
}

/* Names that are not the library's, have other arguments, or cannot be parsed. */
static void left_alone(void **state)
{
	static const char *const names[] = {
		"", "main", "foo(int)", "my::vector<int, std::allocator<int> >",
		"my::std::vector<int, std::allocator<int> >",
		"(anonymous namespace)::std::vector<int, std::allocator<int> >",
		"mystd::vector<int, std::allocator<int> >",
		"vector<int, std::allocator<int> >",
		"std::vector<int, std::allocator<long> >",
		"std::vector<int, my::allocator<int> >",
		"std::vector<int, std::allocator<int>, int>",
		"std::vectors<int, std::allocator<int> >",
		"std::vecto<int, std::allocator<int> >",
		"std::set<int, std::greater<int>, std::allocator<int>, int>",
		"std::map<int, A, std::less<int>, std::allocator<std::pair<int, A> > >",
		"std::array<int, 3ul>", "std::shared_ptr<A>", "std::vector<int",
		"std::vector<int, std::allocator<int>", "std::vector<>",
		"my::__cxx11::x", "__1::x", "std::__1", "std::a__1::x", "_Z3foov", "std::", "::",
		"std::vector<a, b, c, d, e, f, g, h, i, std::allocator<a> >",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		assert_short(names[i], names[i]);
	/* defaults end at the last argument that was given */
	assert_short("std::set<int, std::greater<int>, std::allocator<int> >",
		     "std::set<int, std::greater<int>>");
	assert_short("std::set<int, std::less<int>, my::allocator<int> >",
		     "std::set<int, std::less<int>, my::allocator<int> >");
}

static void too_deep(void **state)
{
	char *s = repeat("", "std::vector<", SCAN_MAX_DEPTH + 1, "std::__1::x");

	assert_short(s, s);
	free(s);
	s = repeat("", "((((((((", 1000, "std::__1::x");
	assert_short(s, s);
	free(s);
}

static void assert_style(struct names_style style, const char *name, const char *want)
{
	struct names *n = names_new(&style);

	assert_non_null(n);
	assert_string_equal(names_text(n, name), want);
	names_free(n);
}

static void styles(void **state)
{
	static const char name[] =
		"_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backERKS5_";
	struct names *n = names_new(&(struct names_style){ 0 });

	assert_ptr_equal(names_text(NULL, name), name);
	assert_ptr_equal(names_text(n, name), name);
	names_free(n);
	names_free(NULL);
	assert_style((struct names_style){ .demangle = true }, name,
		     "std::vector<" STRING_11 ", std::allocator<" STRING_11
		     " > >::push_back(" STRING_11 " const&)");
	assert_style((struct names_style){ .demangle = true, .shorten_stl = true }, name,
		     "std::vector<std::string>::push_back(std::string const&)");
	assert_style((struct names_style){ .demangle = true, .no_params = true,
					   .shorten_stl = true }, name,
		     "std::vector<std::string>::push_back");
	assert_style((struct names_style){ .demangle = true, .collapse = true }, name,
		     "std::vector<...>::push_back(std::__cxx11::basic_string<...> const&)");
	assert_style((struct names_style){ .shorten_stl = true }, name, name);
	assert_style((struct names_style){ .shorten_stl = true }, STRING "::size() const",
		     "std::string::size() const");
	/* only a name that was mangled is collapsed */
	assert_style((struct names_style){ .demangle = true, .collapse = true }, "f<int>()",
		     "f<int>()");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(languages),	 cmocka_unit_test(clones_and_versions),
		cmocka_unit_test(not_mangled),	 cmocka_unit_test(lengths),
		cmocka_unit_test(doubling),	 cmocka_unit_test(rereading),
		cmocka_unit_test(collapsed),	 cmocka_unit_test(collapsed_is_bounded),
		cmocka_unit_test(prototypes),	 cmocka_unit_test(all_templates),
		cmocka_unit_test(characters),	 cmocka_unit_test(nested),
		cmocka_unit_test(left_over),	 cmocka_unit_test(left_alone),
		cmocka_unit_test(too_deep),
		cmocka_unit_test(styles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
