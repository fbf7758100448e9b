# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in Lua: turns of turn.lua. Sourced after lib.sh.
cat "$(dirname "$0")/turn.lua" - >work.lua <<'END2'
math.randomseed(1)
local finish = os.time() + arg[1]
while os.time() < finish do turn(2000) end
END2
