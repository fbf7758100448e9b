# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions that the scripts of this folder share. It is sourced; it sets HERE and
# KUNIT_CACHE, and the variables of tests/guest/vm/lib.sh.

. "$(dirname "${BASH_SOURCE[0]}")/../vm/lib.sh"
HERE=$TOP/tests/guest/kunit
KUNIT_CACHE=$(dirname "$VM_CACHE")/kunit

# kunit_tidy PREFIX KEEP: removes results of older sources or configurations
kunit_tidy()
{
	find "$KUNIT_CACHE" -maxdepth 1 -name "$1-*" ! -path "$2" -mtime +2 -exec rm -rf {} +
}
