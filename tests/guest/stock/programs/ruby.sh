# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in Ruby: turns of turn.rb. Sourced after lib.sh.
cat "$(dirname "$0")/turn.rb" - >work.rb <<'END2'
random = Random.new(1)
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ARGV[0].to_i
turn(random, 2000) while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
END2
