// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of languages that have no prefix of their own: symbols of Debian's packages, names that
 * only look similar, and buffers that are too small.
 */
#include "support.h"

#include "formats/names/demangle.h"
#include "formats/names/languages.h"
#include "formats/names/style.h"

/* Demangles a symbol; NULL if it stays unchanged. */
struct pair {
	const char *name;
	const char *text;
};

static void assert_pairs(const struct pair *pairs, size_t nr)
{
	char text[DEMANGLE_MAX_TEXT];
	size_t i, len;

	for (i = 0; i < nr; i++) {
		len = demangle(pairs[i].name, false, text);
		if (!pairs[i].text && len)
			fail_msg("%s became %s", pairs[i].name, text);
		if (!pairs[i].text)
			continue;
		if (!len)
			fail_msg("%s was not demangled", pairs[i].name);
		assert_string_equal(text, pairs[i].text);
		assert_int_equal(len, strlen(text));
	}
}

/* libocamlgraph-ocaml-dev, OCaml 4.13; then those of OCaml 5 and of Flambda */
static void ocaml(void **state)
{
	static const struct pair pairs[] = {
		{ "camlGraph__Path__all_shortest_paths_1589", "Graph.Path.all_shortest_paths" },
		{ "camlGraph__XDotDraw__get$27_411", "Graph.XDotDraw.get'" },
		{ "camlGraph__Merge__fun_3903", "Graph.Merge.fun_3903" },
		{ "camlGraph__Traverse__entry", "Graph.Traverse.entry" },
		{ "camlStdlib__$5e_139", "Stdlib.^" },
		{ "camlStdlib__List__map_123", "Stdlib.List.map" },
		{ "camlStdlib__List.map_123", "Stdlib.List.map" },
		{ "camlDune__exe__Main.fib_267", "Dune.exe.Main.fib" },
		{ "camlM.fun$5bm$2eml$3a12$2c3$2d$2d40$5d_123", "M.fun[m.ml:12,3--40]" },
		{ "camlM__loop_1_2", "M.loop_1" },
		{ "camlM__loop_1_2_code", "M.loop" },
		{ "camlM__under__12", "M.under_" },
		{ "camlM___private_12", "M._private" },
		/* labels of a unit, its data, C of the runtime */
		{ "camlGraph__Path__code_begin", NULL },
		{ "camlGraph____code_end", NULL },
		{ "camlGraph__frametable", NULL },
		{ "camlGraph__Merge_3903", "Graph.Merge" },
		{ "caml_alloc_small_dispatch", NULL },
		{ "caml_curry2_1", NULL },
		{ "camlidl_alloc__1", NULL },
		{ "camlM", NULL },
		{ "camlM_1", NULL },
		{ "camlM__", NULL },
		{ "camlM___1", NULL },
		{ "camlM__f_", NULL },
		{ "camlM__f_1x", NULL },
		{ "camlM__$_1", NULL },
		{ "camlM__$2_1", NULL },
		{ "camlM__$00_1", NULL },
		{ "camlM__$zz_1", NULL },
		{ "camlM..f_1", NULL },
		{ "caml", NULL },
		{ "xcamlM__f_1", NULL },
	};

	assert_pairs(pairs, ARRAY_SIZE(pairs));
}

/* libghc-random-dev, libghc-split-dev and ghc, GHC 9.0.2 */
static void haskell(void **state)
{
	static const struct pair pairs[] = {
		{ "base_GHCziList_elem_info", "GHC.List.elem" },
		{ "base_GHCziList_zdwspan_info", "GHC.List.$wspan" },
		{ "base_GHCziBase_zpzp_info", "GHC.Base.++" },
		{ "ghczmprim_GHCziTypes_Izh_con_info", "GHC.Types.I#" },
		{ "ghczmprim_GHCziClasses_zdfEqZMZNzuzdczeze_info", "GHC.Classes.$fEq[]_$c==" },
		{ "ghczmprim_GHCziTuple_Z2T_con_info", "GHC.Tuple.(,)" },
		{ "ghczmprim_GHCziTuple_Z0T_con_info", "GHC.Tuple.()" },
		{ "ghczmprim_GHCziPrim_Z3H_con_info", "GHC.Prim.(#,,#)" },
		{ "ghczmprim_GHCziClasses_CZCEq_con_info", "GHC.Classes.C:Eq" },
		{ "ghczmprim_GHCziTypes_ZMZN_con_info", "GHC.Types.[]" },
		{ "splitzm0zi2zi3zi5zmDXkzzOmykyJE7KmI3yfeZZnL_DataziListziSplitziInternals_doCondense1_info",
		  "Data.List.Split.Internals.doCondense1" },
		{ "randomzm1zi2zi1zi1zmC39Bl6vCcFv5bcBncES6Ba_SystemziRandom_zdfRandomZLz2cUZRzuzdcrandomRs_info",
		  "System.Random.$fRandom(,)_$crandomRs" },
		{ "randomzm1zi2zi1zi1zmC39Bl6vCcFv5bcBncES6Ba_SystemziRandomziStateful_withMutableGenzu3_info",
		  "System.Random.Stateful.withMutableGen_3" },
		{ "Main_zdwfib_info", "Main.$wfib" },
		{ "Main_zdwfib_r1Ab_info", "Main.$wfib" },
		{ "Main_zdwfib_info$def", "Main.$wfib" },
		{ "base_DataziMaybe_z3b1Uz10000Uzq_entry", "Data.Maybe.\xce\xb1\xf0\x90\x80\x80'" },
		/* readable without change */
		{ "Main_fib_info", NULL },
		{ "stg_ap_pp_fast", NULL },
		{ "stg_upd_frame_info", NULL },
		{ "c2Bd_info", NULL },
		/* data; not encoded in this way, or names that have no code */
		{ "base_GHCziBase_zpzp_closure", NULL },
		{ "base_GHCziList", NULL },
		{ "base_GHCziList_info", NULL },
		{ "base_GHCzi_f_info", NULL },
		{ "base_GHCziList_zdw_f_g_info", NULL },
		{ "base_GHCziList_zx_info", NULL },
		{ "base_GHCziList_z_info", NULL },
		{ "base_GHCziList_z110000U_info", NULL },
		{ "base_GHCziList_z0d800U_info", NULL },
		{ "base_GHCziList_z9U_info", NULL },
		{ "base_GHCziList_Z65T_info", NULL },
		{ "base_GHCziList_Z2X_info", NULL },
		{ "base_GHCziList_f\xce\xb1_info", NULL },
		/* C */
		{ "Foo_get_info", NULL },
		{ "Foo_resize_info", NULL },
		{ "Foo_azure_info", NULL },
		{ "Foo_lzhuf_info", NULL },
		{ "Foozibar_get_info", NULL },
		{ "Zip_size_info", NULL },
		{ "gzip_info", NULL },
		{ "_info", NULL },
		{ "z_info", NULL },
	};

	assert_pairs(pairs, ARRAY_SIZE(pairs));
}

/* libgnat-12 and what links it */
static void ada(void **state)
{
	static const struct pair pairs[] = {
		{ "ada__text_io__put_line__2", "ada.text_io.put_line" },
		{ "ada__numerics__long_long_real_arrays__instantiations__Oadd__4Xnn",
		  "ada.numerics.long_long_real_arrays.instantiations.\"+\"" },
		{ "ada__strings__wide_maps__wide_character_mappingSW__2",
		  "ada.strings.wide_maps.wide_character_mapping'Write" },
		{ "ada__calendar___elabb", "ada.calendar'Elab_Body" },
		{ "gnat__random_numbers__reset__5", "gnat.random_numbers.reset" },
		{ "system__perfect_hash_generators__acyclic__traverse.33",
		  "system.perfect_hash_generators.acyclic.traverse" },
		{ "gnat__sockets__finalize_spec.cold", "gnat.sockets.finalize_spec [clone .cold]" },
		{ "system__strings__stream_ops__wide_string_ops__writeXnn.constprop.0",
		  "system.strings.stream_ops.wide_string_ops.write [clone .constprop.0]" },
		{ "_ada_fib", "fib" },
		{ "_ada_my_pkg__sort__2", "my_pkg.sort" },
		/* what initializes a type */
		{ "system__regpat__match_locationIP", NULL },
		/* C, or Ada without a sign of it */
		{ "uv__io_poll", NULL },
		{ "my_pkg__sort__2", NULL },
		{ "__gnat_malloc", NULL },
		{ "ada__", NULL },
		{ "ada__Text", NULL },
		{ "system", NULL },
		{ "system_info", NULL },
		{ "_ada_", NULL },
		{ "_ada__x", NULL },
	};
	char many[LANGUAGES_MAX_NAME], text[DEMANGLE_MAX_TEXT];
	size_t i;

	assert_pairs(pairs, ARRAY_SIZE(pairs));
	/* libiberty would write beyond its memory */
	strcpy(many, "ada__x");
	for (i = 0; i < 100; i++)
		strcat(many, "SO__x");
	assert_int_equal(demangle(many, false, text), 0);
	assert_int_equal(demangle("ada__xSO__xDF", false, text), 0);
	assert_int_equal(demangle("ada__xSO", false, text), strlen("ada.x'Output"));
}

/* libgphobos3: an order of words that libiberty does not know, and thunks */
static void d(void **state)
{
	static const struct pair pairs[] = {
		{ "_D3std3uni7toLowerFNaNfNkMAyaZQe",
		  "std.uni.toLower(scope return immutable(char)[])" },
		{ "_D3std12experimental9allocator6common9alignUpToFNaNbNiNkMPvkZQe",
		  "std.experimental.allocator.common.alignUpTo(scope return void*, uint)" },
		{ "_DTi16_D3gcc9backtrace12LibBacktrace8toStringMxFZAya",
		  "thunk to gcc.backtrace.LibBacktrace.toString() const" },
		/* in an identifier, too */
		{ "_D3fooNkM7toLowerFNaNfNkMAyaZQe", NULL },
		{ "_D6fooNkM7toLowerFNaNfNkMAyaZQe", NULL },
		{ "_DTi16", NULL },
		{ "_DTi_Z3foov", NULL },
	};

	assert_pairs(pairs, ARRAY_SIZE(pairs));
}

/* Names that contain no sign of their language. */
static void sources(void **state)
{
	struct names *n = names_new(&(struct names_style){ .demangle = true });
	static const char name[] = "my_pkg__sort__2";

	assert_string_equal(names_text_from(n, name, "my_pkg.adb"), "my_pkg.sort");
	assert_string_equal(names_text_from(n, name, "/src/my_pkg.ads"), "my_pkg.sort");
	assert_string_equal(names_text_from(n, "fib", "fib.adb"), "fib");
	assert_string_equal(names_text_from(n, "_ada_fib", "fib.adb"), "fib");
	assert_string_equal(names_text_from(n, "_Z3foov", "fib.adb"), "foo()");
	assert_ptr_equal(names_text_from(n, name, "my_pkg.c"), name);
	assert_ptr_equal(names_text_from(n, name, ""), name);
	assert_ptr_equal(names_text_from(NULL, name, "my_pkg.adb"), name);
	names_free(n);
	n = names_new(&(struct names_style){ 0 });
	assert_ptr_equal(names_text_from(n, name, "my_pkg.adb"), name);
	names_free(n);
}

/* Buffers from 1 byte on: the whole name, or nothing. */
static void rooms(void **state)
{
	static size_t (*const decode[])(const char *name, char *ret, size_t room) = {
		ocaml_name, haskell_name,
	};
	static const struct pair pairs[] = {
		{ "camlGraph__Merge__fun_3903", "Graph.Merge.fun_3903" },
		{ "ghczmprim_GHCziTuple_Z5T_con_info", "GHC.Tuple.(,,,,)" },
	};
	size_t i, room, want;
	char *text;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		want = strlen(pairs[i].text);
		for (room = 1; room < want + 3; room++) {
			text = malloc(room);
			assert_int_equal(decode[i](pairs[i].name, text, room),
					 room > want ? want : 0);
			free(text);
		}
	}
	for (room = 1; room < 40; room++) {
		text = malloc(room);
		want = strlen("ada.x [clone .cold]");
		assert_int_equal(ada_name("ada__x.cold", false, text, room), room > want ? want : 0);
		free(text);
	}
}

static void lengths(void **state)
{
	char *name = calloc(1, LANGUAGES_MAX_NAME + 2), text[DEMANGLE_MAX_TEXT];
	static const struct pair forms[] = {
		{ "camlM__", "_1" }, { "ada__", "x" }, { "base_GHCziList_", "_info" },
	};
	size_t i, head, tail;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		head = strlen(forms[i].name);
		tail = strlen(forms[i].text);
		memset(name, 'a', LANGUAGES_MAX_NAME + 1);
		memcpy(name, forms[i].name, head);
		memcpy(name + LANGUAGES_MAX_NAME - tail, forms[i].text, tail + 1);
		assert_true(demangle(name, false, text) > 0);
		memset(name + head, 'a', LANGUAGES_MAX_NAME + 1 - head);
		strcpy(name + LANGUAGES_MAX_NAME + 1 - tail, forms[i].text);
		assert_int_equal(demangle(name, false, text), 0);
	}
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ocaml),
		cmocka_unit_test(haskell),
		cmocka_unit_test(ada),
		cmocka_unit_test(d),
		cmocka_unit_test(sources),
		cmocka_unit_test(rooms),
		cmocka_unit_test(lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
