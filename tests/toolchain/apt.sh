# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Gets Debian packages of any suite and architecture, with an apt configuration of our
# own: that of the machine is not changed. Sourced by get and sysroot, which define $cache,
# a folder that the caller has locked, and die().

# the mirror that this machine itself uses for Debian proper
mirror()
{
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' \
		'Created-By: Packages' 'Component: main' 'Origin: Debian' |
		awk '$2 !~ /-/ && !done { print $1; done = 1 }'
}

# apt SUITE ARCH TOOL ARGS...: runs a tool of apt as on an empty machine of that suite. An index that has
# expired is accepted, because the mirror may be a snapshot, and a test only needs packages that Debian
# has signed.
apt()
{
	local dir=$cache/apt-$1-$2 arch=$2 tool=$3
	shift 3
	"$tool" -q -o Dir::Etc="$dir/etc" -o Dir::State="$dir/state" \
		-o Dir::State::status="$dir/status" -o Dir::Cache="$dir/cache" \
		-o Dir::Etc::trustedparts=/etc/apt/trusted.gpg.d \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o APT::Sandbox::User=root -o APT::Install-Recommends=false \
		-o APT::Get::AllowUnauthenticated=false \
		-o Acquire::Check-Valid-Until=false "$@"
}

# apt_open SUITE ARCH: makes the configuration and reads the suite's index
apt_open()
{
	local dir=$cache/apt-$1-$2 from keys=/usr/share/keyrings/debian-archive-keyring.gpg
	from=$(mirror)
	[ -n "$from" ] || die "this machine's apt sources name no Debian mirror"
	mkdir -p "$dir"/etc/{apt.conf.d,preferences.d} \
		"$dir"/state/lists/partial "$dir"/cache/archives/partial
	: >"$dir/status"
	if [ -r $keys ]; then keys="[signed-by=$keys] "; else keys=; fi
	echo "deb $keys$from $1 main" >"$dir/etc/sources.list"
	apt "$1" "$2" apt-get update >"$dir/log" 2>&1 ||
		{ cat "$dir/log" >&2; die "apt-get update for $1 failed"; }
}

# apt_candidate SUITE ARCH PACKAGE: prints the available version
apt_candidate()
{
	apt "$1" "$2" apt-cache policy "$3" | awk '$1 == "Candidate:" { print $2 }'
}

# apt_archives SUITE ARCH: prints the folder for downloaded packages
apt_archives() { echo "$cache/apt-$1-$2/cache/archives"; }

# apt_fetch SUITE ARCH PACKAGE...: downloads these packages and all their dependencies
apt_fetch()
{
	local suite=$1 arch=$2 archives
	shift 2
	archives=$(apt_archives "$suite" "$arch")
	rm -f "$archives"/*.deb
	apt "$suite" "$arch" apt-get -y --download-only install "$@" \
		>"$cache/apt-$suite-$arch/log" 2>&1 ||
		{ cat "$cache/apt-$suite-$arch/log" >&2; die "cannot fetch $*"; }
}
