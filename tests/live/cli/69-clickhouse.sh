# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack clickhouse: the tables as text. tests/live/clickhouse creates them on real servers.
checks 45

run "$USTACK" clickhouse
status 0 "clickhouse"
no_err "clickhouse"
out '^CREATE DATABASE IF NOT EXISTS `ustack`;$' "clickhouse: database"
out '^CREATE TABLE IF NOT EXISTS `ustack`.`samples`$' "clickhouse: samples"
check "clickhouse: each says what it makes unless it is there" bash -c \
	"! grep '^CREATE' '$T/out' | grep -v 'IF NOT EXISTS'"
check "clickhouse: no cluster, no TTL, no codecs" bash -c \
	"! grep -Eq 'CLUSTER|Replicated|Distributed|TTL|CODEC' '$T/out'"

run "$USTACK" clickhouse --database d --cluster c --ttl 60 --zstd
status 0 "clickhouse --cluster"
out '^CREATE DATABASE IF NOT EXISTS `d` ON CLUSTER `c`;$' "clickhouse --cluster: database"
out "^ENGINE = ReplicatedMergeTree\\('/clickhouse/tables/\\{shard\\}/d/samples', '\\{replica\\}'\\)$" \
	"clickhouse --cluster: replicated"
out "^ENGINE = ReplicatedReplacingMergeTree\\(.*, '\\{replica\\}', rank\\)$" \
	"clickhouse --cluster: arguments of an engine"
out "^ENGINE = Distributed\\('c', 'd', 'samples_local', sipHash64\\(host\\)\\);$" \
	"clickhouse --cluster: distributed"
out '^TTL day \+ INTERVAL 60 DAY$' "clickhouse --ttl: days"
out '^TTL toMonday\(day\) \+ INTERVAL 67 DAY$' "clickhouse --ttl: weeks"
out '`count` Int64 CODEC\(ZSTD\(1\)\),$' "clickhouse --zstd"

for bad in '--database a-b' '--cluster 1' '--ttl 0' '--ttl 100000' 'operand'; do
	# shellcheck disable=SC2086
	run "$USTACK" clickhouse $bad
	status 2 "clickhouse $bad"
	no_out "clickhouse $bad"
done
for bad in "--database a --to clickhouse://127.0.0.1:1/b" "--to clickhouse://127.0.0.1:1/a-b" \
	"--password-file $T/none" "--ca-file $T/none" --quiet; do
	# shellcheck disable=SC2086
	run "$USTACK" clickhouse $bad
	status 2 "clickhouse $bad"
	no_out "clickhouse $bad"
done
run "$USTACK" clickhouse --database a --to clickhouse://127.0.0.1:1/b
err "--database says 'a', and --to 'b'" "clickhouse: two databases"
for bad in nowhere clickhouse://127.0.0.1:1 clickhouse://a:b@example.org/d; do
	run "$USTACK" clickhouse --to "$bad"
	status 1 "clickhouse --to $bad"
	no_out "clickhouse --to $bad"
done
run "$USTACK" clickhouse --database b --to clickhouse://127.0.0.1:1/b
status 1 "clickhouse --to nobody"
no_out "clickhouse --to nobody"
err '^ustack: clickhouse://127.0.0.1:1/b: `b`: ' "clickhouse --to nobody: what, and where"

run bash -c "'$USTACK' clickhouse >/dev/full"
status 1 "clickhouse, no room"
