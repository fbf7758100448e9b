# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Known stacks as a part of a guest's run (tests/guest/lib.sh): every sample of programs whose
# stacks are known, from perf record -g and from bpf_get_stack(). Before insmod the same check must
# fail, which proves that the module makes the difference. In full form the walk by tables in eBPF is
# checked in the same way, after rmmod.
#
#	KNOWN_VERSIONS	versions of SFrame: v1 v2 v3 v3-pac (quick: v3)
#	KNOWN_SECONDS	seconds for each scenario, in one round (1)
#	KNOWN_SCENARIOS	the scenarios to run, instead of all
#	KNOWN_HZ	samples a second (199)
#	KNOWN_MINIMUM	stacks wanted of each kind (800; quick: 500); rounds go on until there are
#			two and a half times as many, because up to half of them are taken in libc

# shellcheck source=tests/guest/known/lib.sh
. tests/guest/known/lib.sh

# known_plan: sets the variables versions, seconds, hz, minimum and scenarios, and few: the
# scenarios of a round that is not the last one, in quick form one of each kind
known_plan()
{
	local all="leaf prologue deep alloca drap tail plt signal altstack nested fork vfork
		threads shorts jump qsort churn mremap jit dlopen start stripped:leaf
		stripped:deep static:deep static:signal"
	[ "$arch" = aarch64 ] || all+=" ibt:plt now:plt"
	read -ra versions <<<"${KNOWN_VERSIONS-}"
	if [ ${#versions[@]} -eq 0 ]; then
		versions=(v1 v2 v3)
		# with pointer authentication
		[ "$arch" = x86_64 ] || versions+=(v3-pac)
		[ "$form" = full ] || versions=(v3)
	fi
	known_limits
	read -ra scenarios <<<"$(tr -s '[:space:]' ' ' <<<"${KNOWN_SCENARIOS-$all}")"
	few=("${scenarios[@]}")
	[ "$form" = full ] || read -ra few <<<"${KNOWN_SCENARIOS-leaf drap signal threads jit qsort dlopen static:deep static:signal}"
}

# known_names VERSION SCENARIO...: versions 1 and 2 cannot express the CFA of a realigned frame
known_names()
{
	local name version=$1
	shift
	for name; do
		[[ $name = drap && $version = v[12] ]] || printf '%s ' "$name"
	done
}

# static programs contain libc's code without its tables
known_dynamic() { tr ' ' '\n' <<<"$*" | grep -v '^static:' | tr '\n' ' '; }

# known_walks: prints the builds of the workload on which the walk in eBPF is checked, too: one version of
# SFrame, as tables for eBPF are made from .eh_frame; in quick form none, as part bpftables checks it
known_walks()
{
	[ "$form" = full ] || return 0
	printf '%s\n' "${versions[@]}" | grep '^v3' || :
}

# the scenarios for it: jit's program describes its code to the module only, and the vDSO and code without
# CFI have tables only here
known_walked() { known_names v3 "${scenarios[@]}" clock bare | tr ' ' '\n' | grep -v '^jit$' | tr '\n' ' '; }

part_known()
{
	local versions scenarios few seconds hz minimum version loads
	known_plan
	if [ -n "$(known_walks)" ]; then
		give "$built/bpftables/chains" /chains
		give "build/groundtruth/$arch/gt-record" /gt-record
	fi
	loads=$(libc_tables "$out/tables")
	truth_of_libc "$out/truth.libc"
	guest_commands
	give "build/workload/bpfstack-$arch" /bpfstack
	give tests/guest/known/in-guest /in-guest
	give tests/guest/workload/scenarios /scenarios
	give tests/guest/workload/perfdump /perfdump
	give "$out/tables" /tables
	give "build/guest-commands/$arch/ustack" /ustack
	for version in "${versions[@]}"; do
		give "build/workload/$arch-$version" "/w-$version"
	done
	in_guest "${KNOWN_TIMEOUT-2400}" known_script
}

known_script()
{
	cat <<-END
		export DUMP=$dump LEAST=$((5 * minimum / 2))
		o=/out/known
		ln -sfn /w-${versions[0]} /w
		LEAST=1000 /in-guest \$o/before $((2 * seconds)) $hz $event leaf deep
		insmod /ustack.ko
	END
	for version in "${versions[@]}"; do
		cat <<-END
			ln -sfn /w-$version /w
			/in-guest \$o/$version $seconds $hz $event $(known_names "$version" "${few[@]}")
			cat /proc/ustack/stat >\$o/$version/stat
			cat /proc/ustack/images >\$o/$version/images
		END
	done
	# deferred stacks, which the kernel takes on the way to user mode
	[ -z "$defer" ] || echo "CALL_GRAPH=fp,defer /in-guest \$o/deferred $seconds $hz $event" \
		"$(known_names "$version" "${few[@]}")"
	# if the stock files have tables too, every stack is whole
	cat <<-END
		$loads
		/in-guest \$o/stock $seconds $hz $event $(known_dynamic "$(known_names "$version" "${scenarios[@]}")")
		cat /proc/ustack/stat >\$o/stock/stat
		rmmod ustack
	END
	for version in $(known_walks); do
		walks_script
	done
}

# walks_script: the walk in eBPF on one build. All tables are made before the second run: those of libraries
# that come and go before the first one, which may be too short for them.
walks_script()
{
	cat <<-END
		ln -sfn /w-$version /w
		walks=\$o/walks-$version
		mkdir -p /bpf \$walks
		mount -t bpf bpf /bpf
		/chains /bpf/walk \$walks/chains /w/lib*.so /w/stripped/lib*.so >\$walks/said &
		chains=\$!
		until grep -qs ready \$walks/said || ! kill -0 \$chains; do usleep 200000; done
		/gt-record --unthrottle --program /bpf/walk -F 49 -s 600 -o /warm -- /scenarios /w 1 $(known_walked)
		/gt-record --unthrottle --program /bpf/walk -F $hz -s 600 -o \$walks/rec -- \
			/scenarios /w $seconds $(known_walked)
		kill \$chains
		wait \$chains
		umount /bpf
	END
}

# judge_walks: the walks in eBPF; see tests/live/bpftables/lib.sh
judge_walks()
{
	local walks=$out/walks-$version name="$version, the walk in eBPF" n without guessed learning floors most=100
	# code of busybox, which starts the scenarios, has no CFI, and there are no tables from code on arm64
	[ "$arch" = x86_64 ] || most=10
	check "$name: walks and samples are brought together" \
		build/bpftables/rechain "$walks/rec" "$walks/chains" "$walks/out" >"$walks/line"
	cat "$walks/line"
	build/groundtruth/gt-text -x LEARNING "$walks/out" >"$walks/dump" 2>"$walks/learning"
	read -r _ n _ without _ _ _ guessed _ <"$walks/line"
	read -r learning _ <"$walks/learning"
	check "$name: of $n samples $without have no walk, $guessed are guessed, $learning met a mapping too early" \
		[ $((100 * without)) -le "$n" -a $((most * guessed)) -le "$n" -a $((100 * learning)) -le "$n" ]
	# shellcheck disable=SC2046
	read -ra floors <<<"$(known_floors yes $(known_walked) | tr "\n" " ")"
	known_check "$name" right "$version" "$walks/dump" -L -m "$minimum" "${floors[@]}"
}

judge_known()
{
	local versions scenarios few seconds hz minimum version names floors known_truth=$out/truth.libc
	# glibc's own CFI of _dl_runtime_resolve is wrong on AArch64 (it ignores what PLT0 has pushed), and
	# samples in the vDSO have no table there, so not all stacks are whole
	local whole=(-L)
	[ "$arch" = x86_64 ] || whole=()
	known_plan
	known_dump "$out/before"
	known_accounts "without the module" "$out/before"
	known_check "without the module, perf" wrong "${versions[0]}" "$out/before/perf.txt" -m 300
	known_check "without the module, BPF" wrong "${versions[0]}" "$out/before/bpf.txt" -m 300
	for version in "${versions[@]}"; do
		known_dump "$out/$version"
		names=$(known_names "$version" "${few[@]}")
		# shellcheck disable=SC2086
		read -ra floors <<<"$(known_floors no $names | tr "\n" " ")"
		known_accounts "$version" "$out/$version"
		known_check "$version perf record -g" right "$version" "$out/$version/perf.txt" \
			-m "$minimum" "${floors[@]}"
		known_check "$version bpf_get_stack" right "$version" "$out/$version/bpf.txt" \
			-m "$minimum" "${floors[@]}"
		sed -n '/^how walks ended/,$p' "$out/$version/stat"
	done
	if [ -n "$defer" ]; then
		known_dump "$out/deferred"
		known_check "$version deferred callchains" right "$version" \
			"$out/deferred/perf.txt" -D -m "$minimum" "${floors[@]}"
	fi
	known_dump "$out/stock"
	names=$(known_names "$version" "${scenarios[@]}")
	# shellcheck disable=SC2046
	read -ra floors <<<"$(known_floors yes $(known_dynamic "$names") | tr "\n" " ")"
	known_check "$version with tables for libc, perf" right "$version" "$out/stock/perf.txt" \
		"${whole[@]}" -m "$minimum" "${floors[@]}"
	known_check "$version with tables for libc, BPF" right "$version" "$out/stock/bpf.txt" \
		"${whole[@]}" -m "$minimum" "${floors[@]}"
	sed -n "/^how walks ended/,\$p" "$out/stock/stat" 2>/dev/null || :
	for version in $(known_walks); do
		judge_walks
	done
}
