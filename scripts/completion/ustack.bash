# SPDX-License-Identifier: GPL-2.0-only
# Bash completion of ustack; tests/cli checks that it knows every command and option.

_ustack_options()
{
	case $1 in
	bsym-convert) echo "--name --output --output-version --quiet --help" ;;
	bsym-dump) echo "--headers --json --help" ;;
	bsym-lookup) echo "--json --thumb --help" ;;
	daemon) echo "--check-config --config --no-front --store --user --help" ;;
	diff) echo "--absolute --callers --children --comm --dso --fail-on --ignore --json --lines --no-inline --percent-limit --rows --symbol --thread --tree --value --help" ;;
	clickhouse) echo "--ca-file --cluster --database --password-file --quiet --to --ttl --zstd --help" ;;
	doctor) echo "--json --pid --quiet --root --help" ;;
	events) echo "--follow --json --help" ;;
	export) echo "--format --output --value --help" ;;
	flame) echo "--callers --comm --diff --dso --ignore --input --lines --no-inline --output --pid --symbol --thread --tid --title --value --help" ;;
	gsym-convert) echo "--arch --collapse-templates --demangle --dwarf-callsites --dwo-dir --merged-functions --no-params --num-threads --out-file --output-version --prototype --quiet --shorten-stl --symbols --unnamed --help" ;;
	gsym-dump) echo "--collapse-templates --demangle --json --no-params --shorten-stl --help" ;;
	gsym-info) echo "--json --help" ;;
	gsym-lookup) echo "--addresses-from-stdin --collapse-templates --demangle --json --name --no-params --shorten-stl --help" ;;
	gsym-verify) echo "--addresses --collapse-templates --demangle --json --most --no-params --shorten-stl --help" ;;
	imagemap-decode) echo "--json --pid --strict --help" ;;
	imagemap-encode) echo "--base64 --core --json --output --pid --help" ;;
	imagemap-show) echo "--pid --help" ;;
	load) echo "--section --vaddr --vdso --help" ;;
	macho-convert) echo "--arch --format --json --output --raw --help" ;;
	macho-dump) echo "--arch --headers --json --help" ;;
	macho-lookup) echo "--arch --json --help" ;;
	macho-unwind) echo "--collapse-templates --core --demangle --frames --imagemap --images --json --no-names --no-params --shorten-stl --help" ;;
	prebuild) echo "--cache --cache-size --jobs --load --help" ;;
	prepare) echo "--all --help" ;;
	query) echo "--as --ca-file --comm --container --from --json --keep --labels --no-names --outcome --output --password-file --pid --quiet --rounded --series --step --store --symbol --thread --to --unit --value --values --windows --help" ;;
	report) echo "--callers --children --comm --dso --ends --input --json --lines --no-inline --percent-limit --pid --rows --show-nr-samples --sort --stdio --symbol --thread --tid --tree --value --help" ;;
	record) echo "--all-cpus --all-kernel --all-user --bsym-dir --cgroup --comm --count --cpu --debuginfod --debuginfod-urls --delay --duration --event --freq --max-stack --min-wait --mode --no-supply --off-cpu --output --per-thread --pid --quiet --raw --stack-size --tid --uid --help" ;;
	sframe-compare) echo "--section --json --help" ;;
	sframe-coverage) echo "--check --extended --files --format --json --help" ;;
	sframe-dump) echo "--raw --section-only --table --help" ;;
	sframe-synth) echo "--extended --format --output --raw --help" ;;
	sframe-verify) echo "--json --raw --help" ;;
	stat) echo "--interval --json --help" ;;
	symbolize) echo "--bsym-dir --cache --cache-size --debug-dir --debuginfod --debuginfod-urls --file-dir --imagemap --json --output --pid --quiet --help" ;;
	symbolizer) echo "--again --bsym-dir --ca-file --cache --cache-size --debug-dir --debuginfod --debuginfod-urls --file-dir --from --interval --once --password-file --quiet --to --help" ;;
	top) echo "--all-cpus --all-kernel --all-user --bsym-dir --cgroup --children --comm --count --cpu --delay --event --freq --iterations --max-stack --min-wait --mode --no-inline --no-supply --off-cpu --per-thread --pid --rows --stack-size --stdio --tid --uid --help" ;;
	supply) echo "--cache --cache-size --once --prepare --user --verbose --help" ;;
	*) echo "--help" ;;
	esac
}

_ustack()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local words="" cmd=${COMP_WORDS[1]} first=1

	[ "$cmd" = help ] && first=2
	case ${COMP_WORDS[first]} in
	bsym | gsym | imagemap | macho | sframe)
		[ "$COMP_CWORD" -gt "$first" ] && {
			first=$((first + 1))
			cmd=${COMP_WORDS[first - 1]}-${COMP_WORDS[first]}
		}
		;;
	esac
	if [ "$COMP_CWORD" -eq "$first" ]; then
		case $cmd in
		bsym-*) words="convert dump lookup verify" ;;
		gsym-*) words="convert dump info lookup verify" ;;
		imagemap-*) words="decode encode show" ;;
		macho-*) words="convert dump lookup unwind" ;;
		sframe-*) words="compare coverage dump synth verify" ;;
		*) words="bsym clickhouse daemon diff doctor events export flame gsym help imagemap images load macho prebuild prepare query record report sframe stat supply symbolize symbolizer top version" ;;
		esac
	elif [ "$prev" = --raw ]; then
		words="x86_64 aarch64"
	elif [ "$prev" = --arch ]; then
		words="arm64 arm64e armv7 i386 x86_64 x86_64h"
	elif [[ $cmd == record || $cmd == top ]] && [ "$prev" = --mode ]; then
		words="auto bpf copy"
	elif [ "$cmd" = report ] && [[ $prev == -s || $prev == --sort ]]; then
		words="comm pid tid thread cgroup event dso symbol srcfile srcline"
	elif [ "$cmd" = export ] && [[ $prev == -f || $prev == --format ]]; then
		words="folded speedscope perf pprof"
	elif [ "$cmd" = query ] && [ "$prev" = --as ]; then
		words="pprof folded speedscope perf-script"
	elif [ "$prev" = --user ]; then
		words=$(cut -d: -f1 /etc/passwd)
	elif [[ $cur == -* ]]; then
		words=$(_ustack_options "$cmd")
	elif [ "$cmd" = prepare ]; then
		words=$(cd /proc && echo [0-9]*)
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o filenames -F _ustack ustack
