# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Stacks of programs without any .sframe, with `ustack supply` running, as a part of a guest's run:
# the workload without its sections, stock libc and ld.so. After every file was met once, each
# sample must be whole, down to _start, and right. On arm64 the test is repeated with pointer
# authentication; on 7.3 also with deferred stacks. Then it is run with a program whose .sframe leaves
# out libc's code, and with one that spends its time in the vDSO.
#
#	KNOWN_SECONDS	for each scenario, in one round (1)
#	KNOWN_SCENARIOS	instead of all
#	KNOWN_HZ	samples a second (199)
#	KNOWN_MINIMUM	stacks wanted of each kind (800; quick: 500)

# not static, because without .sframe these are like the others; static programs with .sframe are those
# whose section is partial
partial="static:deep static:signal"

supply_plan()
{
	local all="leaf prologue deep alloca drap tail plt signal altstack nested fork vfork
		threads jump qsort churn mremap dlopen stripped:deep"
	# one scenario for each way in which files appear and stacks end
	[ "$form" = full ] || all="leaf deep alloca tail signal fork threads qsort churn dlopen"
	[ "$arch" = aarch64 ] || [ "$form" != full ] || all+=" ibt:plt now:plt"
	versions=(v3)
	[ "$arch" = x86_64 ] || versions+=(v3-pac)
	known_limits
	names=$(tr -s '[:space:]' ' ' <<<"${KNOWN_SCENARIOS-$all}")
}

# unsframe FILE: removes its .sframe, if it has one
unsframe()
{
	! readelf -SW "$1" 2>/dev/null | grep -q ' \.sframe ' ||
		"${cross}objcopy" --remove-section .sframe "$1"
}

part_supply()
{
	local versions seconds hz minimum names version file
	supply_plan
	for version in "${versions[@]}"; do
		cp -a "build/workload/$arch-$version" "$out/w-$version"
		while IFS= read -r file; do
			unsframe "$file"
		done < <(find "$out/w-$version" -type f)
		give "$out/w-$version" "/unsframed-$version"
	done
	give "build/workload/$arch-v3" /partial
	tests/guest/known/vdso/build "$arch" "$PWD/$out/clock"
	unsframe "$out/clock"
	give "$out/clock" /clock
	give "build/workload/bpfstack-$arch" /bpfstack
	give tests/guest/known/in-guest /in-guest
	give tests/guest/workload/scenarios /scenarios
	give tests/guest/workload/perfdump /perfdump
	give "$ustack" /bin/ustack-supply
	truth_of_libc "$out/truth.libc"
	in_guest "${KNOWN_TIMEOUT-2400}" supply_script
}

supply_script()
{
	cat <<-END
		o=/out/supply
		insmod /ustack.ko
		mkdir -p /tmp/supply-cache
		/bin/ustack-supply supply --cache /tmp/supply-cache -v >\$o/said 2>&1 &
		supply=\$!
		# supply holds the device open as soon as it works
		tries=0
		until ls -l /proc/\$supply/fd | grep -q /dev/ustack; do
			tries=\$((tries + 1))
			[ \$tries -lt 600 ] || { echo "ustack supply does not start"; cat \$o/said; exit 1; }
			usleep 100000
		done
		# otherwise perf would link the sampled files into its cache: then the files have changed,
		# and count as new
		export PERF_OPTIONS=-N
	END
	for version in "${versions[@]}"; do
		cat <<-END
			ln -sfn /unsframed-$version /w
			# every file is met, and its table is made
			DUMP= /in-guest /tmp/warm $seconds 49 $event $names
			cat /proc/ustack/stat >\$o/stat.cold-$version
			DUMP=$dump LEAST=$((5 * minimum / 2)) /in-guest \$o/$version $seconds $hz $event $names
			cat /proc/ustack/stat >\$o/stat
		END
	done
	[ -z "$defer" ] || echo "DUMP=$dump LEAST=$((5 * minimum / 2)) CALL_GRAPH=fp,defer" \
		"/in-guest \$o/deferred $seconds $hz $event $names"
	cat <<-END
		ln -sfn /partial /w
		DUMP= /in-guest /tmp/warm $seconds 49 $event $partial
		DUMP=$dump LEAST=$((5 * minimum / 2)) /in-guest \$o/partial $seconds $hz $event $partial
		/clock right >/tmp/warm/vdso
		/clock whole >\$o/vdso 2>&1 && echo whole >\$o/vdso.verdict
		cat /proc/ustack/images >\$o/images
		kill -TERM \$supply
		wait \$supply
		rmmod ustack
	END
}

judge_supply()
{
	local versions seconds hz minimum names version known_truth=$out/truth.libc floors
	supply_plan
	# shellcheck disable=SC2086
	read -ra floors <<<"$(known_floors yes $names | tr "\n" " ")"
	for version in "${versions[@]}"; do
		known_dump "$out/$version"
		known_accounts "$version" "$out/$version"
		known_check "$version perf record -g" right "$version" "$out/$version/perf.txt" \
			-L -m "$minimum" "${floors[@]}"
		known_check "$version bpf_get_stack" right "$version" "$out/$version/bpf.txt" \
			-L -m "$minimum" "${floors[@]}"
	done
	if [ -n "$defer" ]; then
		known_dump "$out/deferred"
		known_check "deferred callchains" right "$version" "$out/deferred/perf.txt" -D \
			-L -m "$minimum" "${floors[@]}"
	fi
	known_dump "$out/partial"
	# shellcheck disable=SC2046,SC2086
	read -ra floors <<<"$(known_floors yes $partial | tr "\n" " ")"
	known_check "static, perf record -g" right v3 "$out/partial/perf.txt" -L -m "$minimum" "${floors[@]}"
	known_check "static, bpf_get_stack" right v3 "$out/partial/bpf.txt" -L -m "$minimum" "${floors[@]}"
	check "$(grep -c ' loaded .*/workload-static$' "$out/images") loaded table of the static program" \
		grep -q ' loaded .*/workload-static$' "$out/images"
	check "stacks through the vDSO" test -s "$out/vdso.verdict"
	[ -s "$out/vdso.verdict" ] || cat "$out/vdso"
	sed -n '/^how walks ended/,$p' "$out/stat"
	tail -n 3 "$out/said"
}
