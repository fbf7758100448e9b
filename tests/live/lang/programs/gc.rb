# SPDX-License-Identifier: GPL-2.0-only
# A busy garbage collector, which also moves objects: code and names are elsewhere afterwards.
require_relative 'probe'

Probe.begin

def deep(n, &block)
  n > 0 ? deep(n - 1, &block) : block.call
end

# classes that leave gaps in memory when they are freed
def rubbish
  $some = (0...300).map { |i| Class.new { define_method("made#{i}") { "#{i}" * 50 } } }
  $some.select!.with_index { |_, i| i % 3 == 0 }
  nil
end

def moved(n)
  n.times do |i|
    rubbish
    GC.start
    GC.compact
    deep(i % 12) { mark }
    [2, 1].sort_by { |x| GC.compact; mark; x }
  end
end

def stressed(n)
  GC.stress = true
  n.times { |i| deep(i) { mark } }
ensure
  GC.stress = false
end

def moving_alone(n)
  GC.auto_compact = true
  n.times { |i| rubbish; deep(i % 9) { mark } }
ensure
  GC.auto_compact = false
end

moved(ARGV[0].to_i)
stressed(4)
moving_alone(ARGV[0].to_i)
Probe.warm
