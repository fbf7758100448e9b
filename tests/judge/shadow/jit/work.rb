# SPDX-License-Identifier: GPL-2.0-only
# Blocks, regular expressions and recursion, which YJIT compiles, after a stop.
def depth(n) = n.zero? ? 0 : 1 + depth(n - 1)
Point = Struct.new(:x, :y) { def weight(i) = x * i ^ y }
def turn(random, k)
  words = Array.new(k) { random.rand(1 << 30) }
  words.sort! { |a, b| a % 1009 <=> b % 1009 }
  text = words.join(' ').gsub(/(\d)(\d+?)5\b/) { depth($1.to_i * 5).to_s + $2 }
  points = words.map { |w| Point.new(w % 100, w % 7) }
  points.sum { |p| (0...10).sum { |i| p.weight(i) } } + text.size
end
random = Random.new(1)
5.times { turn(random, 500) }
Process.kill(:STOP, $$)
loop { turn(random, 30) }
