# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions for the programs of this folder, which run in a guest, in a root of stock packages. It is
# sourced with the number of seconds to run. It sets work, a folder that is kept from one run to the
# next, and makes it the current folder.
set -euo pipefail
seconds=$1
work=/tmp/work/$(basename "$0")
mkdir -p "$work"
cd "$work"
export LC_ALL=C.UTF-8 HOME=$work

# begin: the input has been made, and the measured time begins; sets end
begin() { end=$((SECONDS + seconds)); }

# until_end COMMAND...: runs the command repeatedly; if it fails, the program ends
until_end()
{
	local status
	[ -n "${end-}" ] || begin
	while [ $SECONDS -lt "$end" ]; do
		status=0
		timeout -k 2 $((end - SECONDS)) "$@" || status=$?
		[ $status -eq 0 ] || [ $status -eq 124 ] || exit $status
	done
}
