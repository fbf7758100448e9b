# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the scripts of this folder share. Sourced; sets HERE and KUNIT_CACHE
# beside what tests/vm/lib.sh sets.

. "$(dirname "${BASH_SOURCE[0]}")/../vm/lib.sh"
HERE=$TOP/tests/kunit
KUNIT_CACHE=$(dirname "$VM_CACHE")/kunit
