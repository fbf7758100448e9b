# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack query: each answer of a store whose windows are known, and refused input.
checks 118

Q=$T/query
mkdir -p "$Q"
python3 - "$Q" <<'END'
import sys
sys.path.insert(0, "tests/live/cli")
from profiles import Profile
def window(name, *samples):
    p = Profile()
    for stack, n, labels in samples:
        p.add(stack, [n, n * 1000000], **labels)
    p.save(sys.argv[1] + "/" + name)
web = dict(command="web", pid=7, unit="web.service", stack="complete")
db = dict(command="db,1", pid=8, unit="db.service", container="0123456789abcdef0123", stack="no_table")
window("a", (["main", "serve"], 100, web), (["main", "query"], 50, db))
window("b", (["main", "serve"], 200, web), (["main", 0x4242], 10, db))
window("c", (["main", "query"], 40, db), (["main", "odd"], 1, dict(command="\x1b[31m", pid=9)))
END
# three windows of a minute, and one an hour later
"$CLI_BUILD/make_store" "$Q/store" 1 1732269600 "$Q/a" 1732269610 "$Q/b" 1732269660 "$Q/c" 1732273200 "$Q/a" ||
	echo "make_store: failed"
query() { run env TZ=UTC "$USTACK" query -s "$Q/store" --no-names "$@"; }

query --from "2024-11-22 10:00" --to 2024-11-22T10:01Z
status 0 "query"
check "query: coverage" cmp "$T/err" - <<'END'
ustack: 2 windows, 2024-11-22 10:00:00 to 2024-11-22 10:00:20: 20.0 s recorded
END
check "query: report's text" cmp <(grep -v '^#' "$T/out") - <<'END'
 83.33 %  83.33 %   300.000 ms  prog                  serve
 13.89 %  13.89 %    50.000 ms  prog                  query
  2.78 %   2.78 %    10.000 ms  prog                  prog+0x4242
  0.00 %                         1 more functions
END
query -q -o "$Q/out.pb.gz"
status 0 "query -o"
no_out "query -o"
no_err "query -o -q"
run "$USTACK" report --percent-limit 0.5 --stdio "$Q/out.pb.gz"
cp "$T/out" "$Q/report"
query -q
check "query: what report says of -o" cmp "$T/out" "$Q/report"
check "query -o - | report" bash -c \
	'"$1" query -q -s "$2" --no-names -o - | "$1" report --percent-limit 0.5 --stdio -i - | cmp - "$3"' _ "$USTACK" "$Q/store" "$Q/report"
query -f folded -V samples
check "query -f folded" cmp <(LC_ALL=C sort "$T/out") - <<'END'
?[31m;main;odd 1
db,1;main;prog+0x4242 10
db,1;main;query 140
web;main;serve 400
END
for format in pprof speedscope firefox chrome perf-script; do
	query -f "$format" -o "$Q/as"
	status 0 "query -f $format"
	query -q -o "$Q/pb"
	"$USTACK" export -f "${format%-script}" -o "$Q/exported" "$Q/pb"
	check "query -f $format: export's" cmp "$Q/as" "$Q/exported"
done
# labels that stay
query -q --keep unit -V samples -o "$Q/kept.pb.gz"
run "$USTACK" export -f folded -V samples -o - "$Q/kept.pb.gz"
check "query --keep: no command" cmp <(LC_ALL=C sort "$T/out") - <<'END'
main;odd 1
main;prog+0x4242 10
main;query 140
main;serve 400
END
query --from @1732273195 --from "2024-11-22 11:00:06" -f folded
status 2 "query: two times"
err 'one time' "query: two times"
# times, conditions, and shorthands of conditions
query --from @1732273195 --to "2024-11-22 11:00:06" -f folded
out '^web;main;serve 100000000$' "query --from @"
lines 2 "query --from @"
for way in "-c web" "--unit web.service" "--pid 7,70" "--outcome complete" "unit=\"web.service\"" \
	"{command=~'we.*',pid=\"7\"} unit!='x'" "unit!~\".*db.*\" command!=''"; do
	# the last two are two SELECTORs
	case $way in
	-*)	read -r -a words <<<"$way" ;;
	\{*)	words=("{command=~'we.*',pid=\"7\"}" "unit!='x'") ;;
	*\ *)	words=("unit!~\".*db.*\"" "command!='',unit!=''") ;;
	*)	words=("$way") ;;
	esac
	query -f folded -V samples "${words[@]}"
	check "query $way" cmp "$T/out" - <<'END'
web;main;serve 400
END
done
for way in "-c db,1" "--container 0123456789ab" "--container 0123456789abcdef0123"; do
	read -r -a words <<<"$way"
	query -f folded -V samples "${words[@]}"
	check "query $way" cmp <(sort "$T/out") - <<'END'
db,1;main;prog+0x4242 10
db,1;main;query 140
END
done
query -c nobody
status 0 "query: nothing is selected"
out '^# +value: cpu, 0\.000 ms in all$' "query: nothing is selected"

query --series unit --to 10:30 --from "2024-11-22 09:00" --to "2024-11-22 10:30" -V samples
check "query --series" cmp "$T/out" - <<'END'
2024-11-22 10:00:00            300  web.service
2024-11-22 10:00:00             60  db.service
2024-11-22 10:01:00             40  db.service
2024-11-22 10:01:00              1  
END
query --series "" --step 1h
check "query --series ''" cmp "$T/out" - <<'END'
2024-11-22 10:00:00     401.000 ms  
2024-11-22 11:00:00     150.000 ms  
END
query --series unit --step 1h -V samples --json
check "query --series --json" python3 - "$T/out" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["label"], d["value"], d["unit"], d["step_ns"]) == ("unit", "samples", "count", 3600 * 10**9)
assert [s["group"] for s in d["series"]] == ["web.service", "db.service", ""]
ten = 1732269600 * 10**9
assert d["series"][0]["points"] == [[ten, 300], [ten + 3600 * 10**9, 100]]
assert d["coverage"] == {"windows": 4, "first_ns": ten, "last_ns": ten + 3610 * 10**9,
			 "recorded_ns": 40 * 10**9, "bad": 0}
END
query --values command
check "query --values" cmp "$T/out" - <<'END'
           1  \033[31m
         150  db,1
         400  web
END
query --labels --json 'unit=""'
check "query --labels --json" python3 - "$T/out" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["labels"] == [{"text": "command", "samples": 1}, {"text": "pid", "samples": 1}], d
END
query --windows -V samples -c web
check "query --windows" cmp <(sed 's/  [0-9]*:\([0-9]*\)$/  \1/' "$T/out") - <<'END'
2024-11-22 10:00:00    10.0 s        1 stacks            100  0
2024-11-22 10:00:10    10.0 s        1 stacks            200  0
2024-11-22 10:01:00    10.0 s        0 stacks              0  0
2024-11-22 11:00:00    10.0 s        1 stacks            100  0
END
query --windows --json
check "query --windows --json" python3 - "$T/out" <<'END'
import json, sys
w = json.load(open(sys.argv[1]))["windows"]
assert [x["sum"] for x in w] == [150000000, 210000000, 41000000, 150000000]
assert [x["segment"] - w[0]["segment"] for x in w] == [0, 1, 2, 3]
END
query --json
check "query --json: report's" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$T/out"

query --from -1s
status 1 "query: no windows"
err 'no windows of that time' "query: no windows"
no_out "query: no windows"
query -V none
status 1 "query: no such value"
run "$USTACK" query -s "$Q/none"
status 1 "query: no store"
err "query/none: there is no store" "query: no store"
# a damaged block
segment=$(find "$Q/store" -name '*.seg' | sort | sed -n 2p)
printf '\377\377' | dd of="$segment" bs=1 seek=300 conv=notrunc status=none
query -f folded -V samples
status 0 "query: a bad segment"
err '1 parts of the store could not be read' "query: a bad segment"
err "offset 0x[0-9a-f]*: ${segment##*/}: the checksum of a record is wrong" "query: a bad segment"
err '3 windows' "query: a bad segment"
out '^web;main;serve 200$' "query: a bad segment"

while IFS='|' read -r words why; do
	eval "query $words"
	status 2 "query $words"
	err "$why" "query $words"
done <<'END'
--from soon|'soon' is no time
--from -1h --to -2h|--to is not behind --from
--step 0s|no length of time
--from -1h --from -2h --from -3h|--from is given more than twice
--rounded|are for databases
--ca-file x|are for databases
--from clickhouse://a/b --from clickhouse://a/c|one place
--from clickhouse://a/b --rounded --windows|--rounded goes with
--from clickhouse://a/b --rounded --keep x|--rounded goes with
--keep a --labels|--keep and --symbol are for profiles
-S main|are for databases
--series a --windows|takes one of
--windows -o x|are for profiles
--json -f folded|is for what is printed
-f xml|-f: 'xml' is not folded, speedscope, firefox, chrome, perf or pprof
'unit=web'|at 5 of the selector: a text in quotes is missing, such as unit="nginx.service"
'unit=~"("'|at 1 of the regular expression: missing closing parenthesis
END

# URLs with which a query fails
while IFS='|' read -r place why; do
	query --from "$place"
	status 1 "query $place"
	err "$why" "query $place"
	no_out "query $place"
done <<'END'
clickhouse://127.0.0.1:1/u|clickhouse://127.0.0.1:1/u: .*
clickhouse://127.0.0.1|the place has no database
clickhouse://a:b@192.0.2.1/u|not sent without TLS
clickhouse://127.0.0.1/u?x=y|query, which is not allowed
END

# ustack symbolizer
while IFS='|' read -r words code why; do
	eval "run $USTACK symbolizer $words"
	status "$code" "symbolizer $words"
	err "$why" "symbolizer $words"
	no_out "symbolizer $words"
done <<'END'
|2|--to is missing
--to clickhouse://127.0.0.1:1/u x|2|takes no operands
--to clickhouse://127.0.0.1:1/u --from soon|2|'soon' is no time
--to clickhouse://127.0.0.1:1/u --again never|2|no length of time
--to clickhouse://127.0.0.1:1/u --once --interval 1|2|takes one of --once and --interval
--to clickhouse://127.0.0.1:1/u --once --cache $Q/cache|1|clickhouse://127.0.0.1:1/u: .*
--to http://127.0.0.1:1/u --once|1|is no clickhouse://
END
