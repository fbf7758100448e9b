-- SPDX-License-Identifier: GPL-2.0-only
-- A turn of work with k words: sorting with a function, patterns, recursion, numbers. lua.sh and
-- tests/judge/shadow/run put code after it that calls it.
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
local function turn(k)
  local words = {}
  for i = 1, k do words[i] = math.random(1, 2 ^ 30) end
  table.sort(words, function(a, b)
    if a % 1009 ~= b % 1009 then return a % 1009 < b % 1009 end
    return a < b
  end)
  local text = table.concat(words, ' '):gsub('(%d)(%d-)5', function(a, b) return depth(a * 5) .. b end)
  local sum = 0.5
  for i = 1, 100 * k do sum = sum * 1.000001 + words[i % k + 1] % 7 end
  return sum + #text
end
