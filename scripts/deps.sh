#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the Debian packages that a group of make targets needs, and prints their names. The
# Makefile calls it before anything is built; it prints nothing if no package is missing. It does
# nothing with DEPS=no, or if there is no dpkg: then a missing package is noticed only when it is
# used. Documentation/building.md lists the packages.
#
# usage: scripts/deps.sh GROUP...
#        scripts/deps.sh --list GROUP...	prints the packages
set -euo pipefail

# Prints the packages of several groups.
every()
{
	local group

	for group; do
		packages "$group"
	done
}

# Prints the packages of one group. Each group has one entry here.
packages()
{
	case $1 in
	build)	echo gcc make libc6-dev pkg-config ;;
	user)	echo gcc make libc6-dev ;;
	bpf)	echo bpftool clang llvm libbpf-dev libelf-dev zlib1g-dev ;;
	pprof)	echo libprotobuf-c-dev protobuf-c-compiler zlib1g-dev ;;
	elfutils)	echo libdw-dev libelf-dev libiberty-dev liblzma-dev zlib1g-dev libzstd-dev ;;
	tui)	echo libncurses-dev ;;
	flame)	echo chromium chromium-driver python3 python3-selenium ;;
	json)	echo libjansson-dev ;;
	daemon)	echo libyaml-dev libpcre2-dev libmd-dev ;;
	http)	echo libmicrohttpd-dev ;;
	web)	echo curl golang-go graphviz libmicrohttpd-dev prometheus python3 ;;
	tui-test) echo binutils gcc libc6-dev ncurses-term procps python3 tmux ;;
	pprof-judge) echo golang-go graphviz python3 python3-jsonschema ;;
	unit)	echo gcc libc6-dev libcmocka-dev clang llvm libclang-rt-14-dev binutils elfutils ;;
	cross)	echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
	vm)	echo binutils e2fsprogs kmod python3 xz-utils zstd ca-certificates \
		     gcc make libc6-dev pahole gcc-aarch64-linux-gnu ;;
	daemon-test) echo iproute2 libdebuginfod1 procps ;;
	branches) echo autofdo binutils bolt-19 gcc libc6-dev linux-perf llvm-19 python3 ;;
	vm-root) echo mmdebstrap ;;
	alerts)	echo prometheus python3 python3-yaml ;;
	container) echo curl gcc git golang-github-masterminds-sprig-dev golang-go golang-gopkg-yaml.v3-dev \
		     iproute2 libc6-dev libcap2-bin libseccomp-dev procps python3 python3-jsonschema python3-yaml \
		     util-linux ;;
	kunit)	echo gcc make libc6-dev bc bison flex libelf-dev libssl-dev \
		     python3 xz-utils ca-certificates ;;
	kcfi)	echo clang-16 lld-16 llvm-16 ;;
	groundtruth)
		echo gcc make libc6-dev libelf-dev libdw-dev python3 \
		     gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
	tables)	echo bash binutils gcc gdb git libdw1 libelf1 libgcrypt20 libgmp10 libllvm14 \
		     libpython3.11 libssl3 libstdc++6 make openssh-client openssl perl-base \
		     python3 valgrind xz-utils zlib1g gcc-aarch64-linux-gnu \
		     libc6-dev-arm64-cross libc6-arm64-cross libstdc++6-arm64-cross \
		     libgcc-s1-arm64-cross ;;
	bench)	echo time valgrind libunwind-dev libdw-dev libelf-dev gcc ;;
	measure) echo g++ python3 ripgrep ;;
	gsym)	echo g++ binutils llvm ;;
	dwarf)	echo g++ binutils llvm clang dwz ;;
	dwarf-all)	echo rustc lld g++-aarch64-linux-gnu ;;
	darwin)	echo clang lld llvm llvm-19 ;;
	darwin-run) echo lld-19 llvm-19 python3 qemu-user-static ;;
	gsym-subject)
		echo gcc g++ make libsimde-dev dpkg-dev python3 tcl \
		     rustc cargo librust-{clap,regex+default,serde-json,syn}-dev ;;
	imagemap)	echo gdb python3 ;;
	names)	echo rustfilt libstd-rust-1.63 python3 ;;
	names-all) echo libphobos2-ldc-shared100 ;;
	shadow)	echo busybox-static fp-compiler gcc libc6-dev luajit musl-tools php8.2-cli php8.2-common ruby3.1 tcc ;;
	record)	echo binutils gcc libc6-dev mount perl-base procps python3 util-linux xz-utils ;;
	lang)	echo binutils erlang-base gcc libbpf-dev libc6-dev libperl5.36 libpython3.11-dev perl php8.2-cli php8.2-opcache python3.11 \
		     ruby3.1 ;;
	annotate) echo binutils binutils-aarch64-linux-gnu gcc gcc-aarch64-linux-gnu libc6-dev \
		     libc6-dev-arm64-cross linux-perf llvm python3 ;;
	known)	echo linux-perf ;;
	install) echo clang g++ gcc libc6-dev llvm pkg-config systemd ;;
	cli)	echo dwz fish gcc groff-base libc6-dev mandoc procps python3 zsh ;;
	stress)	echo e2fsprogs squashfs-tools ;;
	stock)	echo iproute2 mount python3 util-linux ;;
	symstore)	echo binutils curl debuginfod elfutils g++ gcc libc6-dbg libdebuginfod1 python3 ;;
	push)	echo libcurl4-openssl-dev ;;
	clickhouse) echo clickhouse-server curl default-jre-headless libcurl4 openssl python3 zookeeper ;;
	clickhouse-query) echo binutils clickhouse-server default-jre-headless gcc libc6-dev libcurl4 \
		     openssl python3 zookeeper ;;
	push-test) echo libcurl3-gnutls libcurl4 nghttp2-proxy openssl protobuf-compiler python3 python3-grpcio python3-protobuf ;;
	package) echo debhelper dh-dkms libcurl4-openssl-dev lintian mmdebstrap ;;
	rpm)	echo rpm rpmlint ;;
	lint)	echo gcc libc6-dev git make perl pyflakes3 python3 shellcheck sparse ;;
	check-fast) every user bpf pprof elfutils tui json daemon http push unit lint cross ;;
	check)	every check-fast build alerts container vm-root flame web tui-test pprof-judge vm daemon-test kunit groundtruth \
			bench gsym dwarf darwin darwin-run names annotate record lang known stress cli symstore push-test imagemap install shadow tables ;;
	*)	echo "deps.sh: no group '$1'" >&2; exit 2 ;;
	esac
}

# Sets missing to the packages of the groups that are not installed.
look()
{
	local group pkg

	missing=()
	for group in "$@"; do
		for pkg in $(packages "$group"); do
			dpkg-query -W -f '${db:Status-Status}\n' "$pkg" 2>/dev/null |
				grep -qx installed || missing+=("$pkg")
		done
	done
}

if [ "${1-}" = --list ]; then
	# shellcheck disable=SC2046 # one package on each line
	printf '%s\n' $(every "${@:2}") | sort -u
	exit
fi
# an unknown group is an error even if nothing has to be installed
every "$@" >/dev/null
if [ "${DEPS-yes}" = no ] || ! command -v dpkg-query >/dev/null; then
	exit 0
fi
look "$@"
[ ${#missing[@]} -eq 0 ] && exit 0
# A parallel make calls this for several groups at the same time, and apt-get does not wait for its
# own lock. This lock is on a folder that each Debian has, because a container's /run may be empty.
if [ "$(id -u)" -eq 0 ]; then
	exec 9</var/lib/dpkg
	flock 9
	look "$@"
	[ ${#missing[@]} -eq 0 ] && exit 0
fi

mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
if [ "$(id -u)" -ne 0 ]; then
	echo "deps.sh: these packages are missing; as root, run:" >&2
	echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
	exit 1
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
# services that packages start must not inherit the lock
lists=$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -print -quit 2>/dev/null || :)
[ -n "$lists" ] || apt-get -qq update 9>&-
if ! apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null 9>&-; then
	# an old index is the usual cause: refresh it and try again
	apt-get -qq update 9>&-
	apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null 9>&-
fi
