# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Debian packages of any suite and architecture, without touching the machine's
# own apt: a private configuration and index per suite and architecture under
# $VM_CACHE/apt. Sourced after lib.sh.

# "URI SUITE" of every package source that this machine's own apt reads, from
# both forms that a source may be written in
vm_apt_sources()
{
	find /etc/apt -maxdepth 2 -name '*.list' -exec cat {} + 2>/dev/null |
		sed -nE 's/^deb\s+(\[[^]]*\]\s*)?(\S+)\s+(\S+).*/\2 \3/p'
	find /etc/apt -maxdepth 2 -name '*.sources' -exec cat {} \; -exec echo \; 2>/dev/null |
		sed -E '/^#/d; s/^(uris|suites):/\L\1:/I' | awk -v RS= '{
			n = split($0, line, "\n"); field = uris = suites = ""
			for (i = 1; i <= n; i++) {
				if (line[i] ~ /^[A-Za-z-]+:/) {
					field = line[i]
					sub(/:.*/, "", field)
					sub(/^[^:]*:/, "", line[i])
				}
				if (field == "uris") uris = uris " " line[i]
				if (field == "suites") suites = suites " " line[i]
			}
			n = split(uris, uri, " "); m = split(suites, suite, " ")
			for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) print uri[i], suite[j]
		}'
}

# The archive with whole Debian releases (not security, not updates) that this
# machine's apt uses. USTACK_MIRROR overrides.
vm_mirror()
{
	local found
	found=${USTACK_MIRROR:-$(vm_apt_sources |
		awk '$2 ~ /^(bookworm|trixie|forky|sid|(old)?stable|testing|unstable)$/ { print $1; exit }')}
	[ -n "$found" ] ||
		vm_die "no Debian archive in this machine's apt sources; name one in USTACK_MIRROR"
	printf '%s\n' "${found%/}"
}

# vm_apt_dir BASE ARCH: the private state's folder
vm_apt_dir() { printf '%s\n' "$VM_CACHE/apt/$1-$2"; }

# vm_apt BASE ARCH TOOL ARGS...: apt-get or apt-cache on that index
vm_apt()
{
	local dir tool=$3
	dir=$(vm_apt_dir "$1" "$2")
	shift 3
	"$tool" -c "$dir/apt.conf" "$@"
}

vm_apt_configure()
{
	local dir=$1 base=$2 arch=$3 mirror
	mirror=$(vm_mirror)
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	local backports=("$arch" "$mirror" "$base-backports")
	# a suite that is not a release has none
	[[ $base != @(forky|sid) ]] || backports=()
	printf 'deb [arch=%s signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
		"$arch" "$mirror" "$base" "${backports[@]}" >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-EOF
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	#clear APT::Architectures;
	#clear APT::Default-Release;
	APT::Architecture "$arch";
	APT::Architectures { "$arch"; };
	APT::Install-Recommends "false";
	APT::Sandbox::User "root";
	Acquire::Languages "none";
	Acquire::Retries "3";
	// a mirror may be a snapshot; its signature is checked all the same
	Acquire::Check-Valid-Until "false";
	Dir::Etc::SourceList "$dir/sources.list";
	Dir::Etc::SourceParts "/dev/null";
	Dir::Etc::Preferences "/dev/null";
	Dir::Etc::PreferencesParts "/dev/null";
	Dir::State::Lists "$dir/lists";
	Dir::State::Status "$dir/status";
	Dir::State::extended_states "$dir/extended_states";
	Dir::Cache "$dir/cache";
	Dir::Cache::pkgcache "pkgcache.bin";
	Dir::Cache::srcpkgcache "srcpkgcache.bin";
	EOF
}

# vm_apt_update BASE ARCH: make or refresh the index; at most once an hour
vm_apt_update() (
	dir=$(vm_apt_dir "$1" "$2")
	vm_lock "apt-$1-$2"
	[ -z "$(find "$dir/updated" -mmin -60 2>/dev/null)" ] || exit 0
	vm_say "reading the package index of $1 for $2"
	vm_apt_configure "$dir" "$1" "$2"
	vm_apt "$1" "$2" apt-get -qq update >&2
	touch "$dir/updated"
)

# vm_apt_closure BASE ARCH PKG[/SUITE]...: prints "name=version" of these packages and of all their
# dependencies, one per line
vm_apt_closure()
{
	local base=$1 arch=$2
	shift 2
	vm_apt "$base" "$arch" apt-get -s install "$@" |
		sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*/\1=\2/p' | sort
}

# vm_apt_download BASE ARCH DIR LIST: downloads the packages in the "name=version" lines of LIST
vm_apt_download()
{
	# shellcheck disable=SC2046
	(cd "$3" && vm_apt "$1" "$2" apt-get -qq download $(cat "$4") >&2)
}

# vm_apt_unpack TREE DEB...: unpacks packages without running their scripts. The tree first gets the
# merged /usr links, as in Debian.
vm_apt_unpack()
{
	local tree=$1 dir deb
	shift
	for dir in bin sbin lib lib64; do
		mkdir -p "$tree/usr/$dir"
		[ -e "$tree/$dir" ] || ln -s "usr/$dir" "$tree/$dir"
	done
	for deb in "$@"; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -C "$tree" -x --no-same-owner --keep-directory-symlink \
				--exclude './usr/share/doc/*' --exclude './usr/share/man/*' \
				--exclude './usr/share/locale/*'
	done
}
