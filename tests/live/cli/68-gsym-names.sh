# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests names in GSYM files: stored, or shown, in demangled and in short form.
checks 135

N=$T/names
mkdir -p "$N"
cat >"$N/n.cc" <<'END'
#include <map>
#include <string>
#include <vector>
typedef std::map<std::string, std::vector<int>> table;
struct word {
	int n;
	__attribute__((noinline)) word(int i);
};
word::word(int i) : n(i) {}
__attribute__((noinline)) int count(const table &t, const std::string &s)
{
	return (int)t.size() + (int)s.size();
}
template <typename T> __attribute__((noinline)) int extent(const T &t)
{
	return (int)t.size();
}
int main()
{
	table t;
	return count(t, "a") + extent(t) + word(1).n;
}
END
g++ -std=c++17 -g -O1 -fdebug-prefix-map="$N"=/src -o "$N/n" "$N/n.cc"
addr() { echo "0x$(nm "$N/n" | sed -n "s/ [TW] $1\$//p")"; }
count=$(addr '_Z5count.*')
extent=$(addr '_Z6extentI.*')
word=$(addr '_ZN4wordC1Ei')
string='std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'

# the last frame at an address of a file
name_at() { "$USTACK" gsym lookup --name "$@" | sed 's/^0x[0-9a-f]*: //'; }

"$USTACK" gsym convert --quiet "$N/n"
"$USTACK" gsym convert --quiet --demangle -o "$N/d.gsym" "$N/n"
check "names: as they are" [ "$(name_at "$N/n.gsym" "$word")" = _ZN4wordC2Ei ]
for how in "stored $N/d.gsym" "shown --demangle $N/n.gsym"; do
	read -r -a args <<<"${how#* }"
	check "names, ${how%% *}: demangled" [ "$(name_at "${args[@]}" "$word")" = 'word::word(int)' ]
done
run "$USTACK" gsym lookup --json --demangle "$N/n.gsym" "$word"
check "gsym lookup --json --demangle" json "d[0]['frames'][-1]['function'] == 'word::word(int)'"

# in every style, stored names are equal to shown names, for all functions and inlined calls
dump() { "$USTACK" gsym dump "$@" | sed '1d; s/^FunctionInfo @ 0x[0-9a-f]*//'; }
for style in "--demangle" "--demangle --no-params" "--demangle --collapse-templates" \
	"--demangle --shorten-stl" "--demangle --no-params --collapse-templates --shorten-stl" \
	"--shorten-stl"; do
	for layout in "" "--output-version 2" --prototype --merged-functions; do
		# shellcheck disable=SC2086
		"$USTACK" gsym convert --quiet $layout -o "$N/plain.gsym" "$N/n"
		# shellcheck disable=SC2086
		run "$USTACK" gsym convert --quiet $layout $style --num-threads 3 -o "$N/style.gsym" "$N/n"
		status 0 "gsym convert $style $layout"
		# shellcheck disable=SC2086
		check "gsym dump $style $layout: what convert stores" \
			cmp <(dump $style "$N/plain.gsym") <(dump "$N/style.gsym")
		# shellcheck disable=SC2086
		run "$USTACK" gsym verify $style "$N/style.gsym" "$N/n"
		status 0 "gsym verify $style $layout"
	done
	# shellcheck disable=SC2086
	"$USTACK" gsym convert --quiet --merged-functions $style --num-threads 1 -o "$N/one.gsym" "$N/n"
	check "gsym convert $style: the same bytes with one thread" cmp "$N/style.gsym" "$N/one.gsym"
done
run "$USTACK" gsym verify "$N/d.gsym" "$N/n"
status 0 "gsym verify of demangled names"
"$USTACK" gsym convert --quiet --demangle --no-params -o "$N/short.gsym" "$N/n"
run "$USTACK" gsym verify "$N/short.gsym" "$N/n"
status 3 "gsym verify of names without parameters, unless told"
out '^  name: [0-9]+$' "gsym verify of names without parameters, unless told"

check "--no-params" [ "$(name_at "$N/short.gsym" "$count")" = count ]
check "--collapse-templates" \
	[ "$(name_at --demangle --collapse-templates "$N/n.gsym" "$count")" = \
	"count(std::map<...> const&, std::__cxx11::basic_string<...> const&)" ]
check "--shorten-stl" [ "$(name_at --demangle --shorten-stl "$N/n.gsym" "$count")" = \
	"count(std::map<std::string, std::vector<int>> const&, std::string const&)" ]
check "--shorten-stl of what is mangled" \
	[ "$(name_at --shorten-stl "$N/n.gsym" "$word")" = _ZN4wordC2Ei ]
check "--shorten-stl --no-params" \
	[ "$(name_at --demangle --no-params --shorten-stl "$N/n.gsym" "$extent")" = \
	"extent<std::map<std::string, std::vector<int>> >" ]

# a constructor has two functions, whose names become the same string
aliases() { "$USTACK" gsym dump "$1" | grep -c "$2"; }
"$USTACK" gsym convert --quiet --symbols --merged-functions -o "$N/plain.gsym" "$N/n"
"$USTACK" gsym convert --quiet --symbols --merged-functions --demangle -o "$N/merged.gsym" "$N/n"
check "two constructors" [ "$(aliases "$N/plain.gsym" '_ZN4wordC[12]Ei')" = 2 ]
check "two constructors, demangled" [ "$(aliases "$N/merged.gsym" 'word::word(int)')" = 2 ]
check "two constructors: one string" \
	[ "$(strings -a "$N/merged.gsym" | grep -c 'word::word(int)')" = 1 ]

# names in a file of Breakpad are already demangled, and can still be shortened
printf 'MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 g\nFUNC 1000 20 0 f(%s)\n' \
	"$string" >"$N/b.sym"
"$USTACK" gsym convert --quiet --shorten-stl -o "$N/b.gsym" "$N/b.sym"
check "gsym convert --shorten-stl of Breakpad's" \
	[ "$(name_at "$N/b.gsym" 0x1000)" = 'f(std::string)' ]

# names whose demangling would need unlimited time and memory
bomb=_Z1f1AIiiE
for c in 0 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K L M N O P Q R S T; do
	bomb=${bomb}S_IS${c}_S${c}_E
done
cv=
for _ in {1..60}; do cv=${cv}cvT_IL_Z; done
{
	echo 'MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 g'
	echo "FUNC 1000 10 0 ${bomb}"
	echo "FUNC 1010 10 0 _Z${cv}"
	echo "FUNC 1020 10 0 _Z1f$(printf 'P%.0s' {1..20000})i"
} >"$N/bomb.sym"
run timeout --foreground 20 "$USTACK" gsym convert --quiet --demangle -o "$N/bomb.gsym" "$N/bomb.sym"
status 0 "gsym convert --demangle of hostile names"
check "hostile names stay as they are" \
	[ "$(name_at "$N/bomb.gsym" 0x1000)" = "${bomb}" ]
bomb=_Z1f1AIiiE
for c in 0 1 2 3 4 5 6 7 8; do bomb=${bomb}S_IS${c}_S${c}_E; done
{
	echo 'MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 g'
	for i in {10..99}; do echo "FUNC 10$i 1 0 ${bomb/1f/3f$i}"; done
	for i in {100..499}; do echo "FUNC 1$i 1 0 ${bomb/1f/4f$i}"; done
} >"$N/bomb.sym"
run "$USTACK" gsym convert --quiet --demangle -o "$N/bombs.gsym" "$N/bomb.sym"
status 1 "gsym convert --demangle of names that become too long"
err "^ustack: $N/bombs.gsym: the names become more than 16 times as long$" \
	"gsym convert --demangle of names that become too long"
check "gsym convert --demangle of names that become too long: no file" [ ! -e "$N/bombs.gsym" ]

for cmd in "convert $N/n" "dump $N/n.gsym" "lookup $N/n.gsym 0" "verify $N/n.gsym $N/n"; do
	# shellcheck disable=SC2086
	bad_usage gsym $cmd --no-params
	err '^ustack gsym [a-z]*: --no-params goes with --demangle$' "gsym ${cmd%% *} --no-params alone"
	# shellcheck disable=SC2086
	bad_usage gsym $cmd --collapse-templates
done
