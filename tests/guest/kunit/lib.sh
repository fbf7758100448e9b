# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the scripts of this folder share. Sourced; sets HERE and KUNIT_CACHE
# beside what tests/guest/vm/lib.sh sets.

. "$(dirname "${BASH_SOURCE[0]}")/../vm/lib.sh"
HERE=$TOP/tests/guest/kunit
KUNIT_CACHE=$(dirname "$VM_CACHE")/kunit

# kunit_tidy PREFIX KEEP: removes results of older sources or configurations
kunit_tidy()
{
	find "$KUNIT_CACHE" -maxdepth 1 -name "$1-*" ! -path "$2" -mtime +2 -exec rm -rf {} +
}
