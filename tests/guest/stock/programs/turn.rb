# SPDX-License-Identifier: GPL-2.0-only
# A turn of work with k words: sorting with a block, regular expressions, recursion, objects. ruby.sh
# and tests/judge/shadow/run put code after it that calls it.
def depth(n) = n.zero? ? 0 : 1 + depth(n - 1)
Point = Struct.new(:x, :y) { def weight(i) = x * i ^ y }
def turn(random, k)
  words = Array.new(k) { random.rand(1 << 30) }
  words.sort! { |a, b| a % 1009 <=> b % 1009 }
  text = words.join(' ').gsub(/(\d)(\d+?)5\b/) { depth($1.to_i * 5).to_s + $2 }
  points = words.map { |w| Point.new(w % 100, w % 7) }
  points.sum { |p| (0...10).sum { |i| p.weight(i) } } + text.size
end
