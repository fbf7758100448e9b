# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in Lua: sorting with a function, patterns, recursion, numbers. Sourced after
# lib.sh.
cat >work.lua <<'END2'
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
local function turn()
  local words = {}
  for i = 1, 2000 do words[i] = math.random(1, 2 ^ 30) end
  table.sort(words, function(a, b)
    if a % 1009 ~= b % 1009 then return a % 1009 < b % 1009 end
    return a < b
  end)
  local text = table.concat(words, ' '):gsub('(%d)(%d-)5', function(a, b) return depth(a * 5) .. b end)
  local sum = 0.5
  for i = 1, 200000 do sum = sum * 1.000001 + words[i % 2000 + 1] % 7 end
  return sum + #text
end
math.randomseed(1)
local finish = os.time() + arg[1]
while os.time() < finish do turn() end
END2
