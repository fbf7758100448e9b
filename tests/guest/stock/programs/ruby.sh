# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in Ruby: sorting with a block, regular expressions, recursion, objects.
# Sourced after lib.sh.
cat >work.rb <<'END2'
def depth(n) = n.zero? ? 0 : 1 + depth(n - 1)
Point = Struct.new(:x, :y) { def weight(i) = x * i ^ y }
def turn(random)
  words = Array.new(2000) { random.rand(1 << 30) }
  words.sort! { |a, b| a % 1009 <=> b % 1009 }
  text = words.join(' ').gsub(/(\d)(\d+?)5\b/) { depth($1.to_i * 5).to_s + $2 }
  points = words.map { |w| Point.new(w % 100, w % 7) }
  points.sum { |p| (0...10).sum { |i| p.weight(i) } } + text.size
end
random = Random.new(1)
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ARGV[0].to_i
turn(random) while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
END2
