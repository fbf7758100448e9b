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

# what is freed later leaves gaps before these classes, and before the next ones
module Held
  holes = []
  200.times do |i|
    holes.concat((0...20).map { Class.new })
    const_set("Kept#{i}", Class.new { def call(n, &block) = deep(n, &block); def self.make(&block) = new.call(1, &block) })
  end

  def self.each = constants.each_slice(20) { |names| yield(*names.first(2).map { |name| const_get(name) }) }
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

# to other pages, in one go
def move_all
  more = RUBY_VERSION < '3.2' ? :double_heap : :expand_heap
  GC.verify_compaction_references(more => true, toward: :empty)
end

# named classes, and their names, are moved while their methods run
def classes_moved(n)
  before = Held.constants.map { |name| Fiddle.dlwrap(Held.const_get(name)) }
  n.times do
    rubbish
    Held.each do |a, b|
      a.new.call(2) { b.make { GC.compact; mark } }
      a.make { mark }
    end
    move_all
    Held.each { |a, b| a.new.call(2) { b.make { mark } } }
  end
  after = Held.constants.map { |name| Fiddle.dlwrap(Held.const_get(name)) }
  moved = before.zip(after).count { |x, y| x != y }
  puts "classes are not moved: #{moved} of #{before.size}" if moved < before.size / 2
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

classes_moved(3)
moved(ARGV[0].to_i)
stressed(4)
moving_alone(ARGV[0].to_i)
Probe.warm
