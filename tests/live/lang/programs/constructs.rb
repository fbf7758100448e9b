# SPDX-License-Identifier: GPL-2.0-only
# All kinds of calls in Ruby; a sample is taken in each.
require_relative 'probe'

Probe.begin
require 'fiber'
require 'forwardable'
require 'set'

def recursion(n)
  if n > 0
    recursion(n - 1)
  else
    mark
  end
end

def blocks
  [2, 1].each { mark }
  [3, 1, 2].sort_by { |x| mark; x }
  [3, 1, 2].sort { |a, b| mark; a <=> b }
  2.times do |i|
    mark
    1.upto(2) { |j| mark(
      i,
      j
    ) }
  end
  { a: 1 }.each_pair { |k, v| mark(k, v) }
  [1, 2].each_with_index.map { |x, i| mark; x + i }
  [1, 2].inject { |a, b| mark; a + b }
  (1..3).each_slice(2) { |s| mark(*s) }
  'banana'.gsub(/an/) { mark.to_s }
  [[1, [2]]].each { |a, (b)| mark(a, b) }
  loop { mark; break }
  [1].cycle(2) { mark }
  %w[a].each(&method(:mark))
  %w[a].each(&:itself)
  [1].each do
    [2].each do
      [3].each { mark }
    end
  end
end

def yielding(*args, key: 1, &block)
  yield(*args)
  block.call(key)
  instance_exec(1, &block)
end

def procs
  yielding(1, 2) { mark }
  adder = ->(x) { mark; x + 1 }
  adder.call(1)
  adder.(1)
  (adder >> adder).call(2)
  [1, 2].map(&adder)
  proc { |x| mark; next x }.call(3)
  lambda(&adder).call(1)
  adder.curry[1]
  :recursion.to_proc.call(self, 1) rescue mark
  m = method(:recursion)
  m.call(2)
  m.unbind.bind(self).call(1)
end

class Thing
  include Comparable
  extend Forwardable
  def_delegators :@list, :each
  mark

  attr_accessor :n

  def initialize(n = 0)
    @n = n
    @list = [1]
    mark
  end

  def <=>(other)
    mark
    n <=> other.n
  end

  def [](i)
    mark(i)
  end

  def coerce(x)
    mark
    [x, 1]
  end

  def to_s
    mark
    super
  end

  def method_missing(name, *args)
    mark
    return super unless name == :missing

    args
  end

  def respond_to_missing?(name, all = false)
    mark
    name == :missing
  end

  define_method(:defined) { |x = 1| mark(x) }
  define_method(:defined_deep) do |n|
    n > 0 ? defined_deep(n - 1) : [1].each { mark }
  end

  class << self
    def of_singleton
      mark
      new(1)
    end

    define_method(:defined_singleton) { mark }
  end

  def self.of_class(&block)
    block ? block.call : mark
  end

  def each_twice
    return to_enum(:each_twice) unless block_given?

    yield 1
    mark
    yield 2
  end

  class Nested
    def deep
      [1].each { |x| [x].map { mark } }
    end
  end
  private

  def hidden
    mark
  end
end

module Refined
  refine Integer do
    def refined
      mark
    end
  end
end
using Refined

class Child < Thing
  def initialize(n)
    super
    mark
  end

  def defined(x = 2)
    super(x)
  end

  alias other_name defined

  def to_s = super
end

def objects
  a = Child.new(1)
  b = Thing.of_singleton
  a < b
  [a, b].min
  a[3]
  1 + a
  "#{a}"
  a.missing(1)
  begin
    a.nothing
  rescue NoMethodError
    mark
  end
  a.respond_to?(:missing)
  a.defined
  a.other_name
  a.defined_deep(3)
  a.send(:hidden)
  a.public_send(:defined, 4)
  a.each { mark }
  Thing.defined_singleton
  Thing.of_class
  Thing.of_class { mark }
  Thing::Nested.new.deep
  7.refined
  a.instance_eval { hidden }
  Thing.class_eval { mark }
  Class.new(Thing) { mark; def initialize; super(3); end }.new
  Struct.new(:x) { def go = mark }.new(1).go
  a.singleton_class.define_method(:single) { mark }
  a.single
  a.tap { mark }
  a.then { |x| mark; x }
  ObjectSpace.each_object(Class).first(1).each { mark }
  Hash.new { |h, k| mark; h[k] = 1 }[:x]
  Array.new(2) { |i| mark; i }
  Set[1, 2].each { mark }
  catch(:done) { mark; throw :done }
end

def raising(n)
  raising(n - 1) if n > 0
  raise ArgumentError
rescue ArgumentError
  mark
  raise
else
  mark
ensure
  mark
end

def exceptions
  begin
    raising(3)
  rescue ArgumentError => e
    mark
    begin
      raise KeyError, 'again'
    rescue KeyError
      mark
    ensure
      mark
    end
  end
  tries = 0
  begin
    tries += 1
    mark
    raise if tries < 3
  rescue RuntimeError
    retry
  end
  [1, 2].each do |x|
    mark
    next if x == 1
    break
  ensure
    mark
  end
  Integer('x') rescue mark
  nested = proc { return mark }
  begin
    nested.call
  rescue LocalJumpError
    mark
  end
  early
end

def early
  [1, 2, 3].each { |x| [x].each { mark; return x } }
ensure
  mark
end

def enumerators
  e = Thing.new.each_twice
  mark(e.next)
  mark(e.next)
  begin
    e.next
  rescue StopIteration
    mark
  end
  lazy = (1..Float::INFINITY).lazy.map { |x| mark; x * 2 }.select { |x| mark; x > 2 }
  lazy.first(2)
  Enumerator.new { |y| mark; y << 1; mark; y.yield 2 }.each { mark }
  [1, 2].each.with_index(1).each_with_object([]) { |(x, i), all| mark; all << x + i }
  Thing.new.each_twice.map { |x| mark; x }
end

def in_fiber(n)
  return in_fiber(n - 1) if n > 0

  mark
  Fiber.yield 1
  mark
end

def fibers
  f = Fiber.new { in_fiber(3) }
  f.resume
  mark
  f.resume
  g = Fiber.new { |x| Fiber.new { mark(x) }.resume; mark }
  g.resume(1)
  external = Enumerator.new do |y|
    mark
    y << recursion(2)
    y << 2
  end
  external.next
  external.next
  external.size
end

def threads
  (0..3).map { |i| Thread.new { recursion(i) } }.each(&:join)
  queue = Queue.new
  taker = Thread.new { recursion(queue.pop) }
  queue << 2
  taker.join
  Thread.new { Fiber.new { mark }.resume }.join
end

def größe_名前
  mark
end

def many(a, b = mark, *rest, c, d: mark, **opts, &block)
  mark
end

def calls
  many(1, 2)
  many(*[1, 2, 3, 4], d: 5, e: 6)
  many(1, **{ d: 1 }) {} rescue mark
  x = [
    mark,
    { a: mark,
      b: recursion(1) },
    "#{mark}" \
    "#{mark}"
  ]
  case mark
  when 0 then mark
  end
  x && mark ||
    mark
  y = if mark == 1
        2
      else
        mark
      end
  y
end

# long enough that the bit vector of its lines has blocks
long = (1..120).map { |i| "  x = x + #{i}#{"\n" * (i % 3)}; y = [x, #{i}]\n  mark if x == #{i * (i + 1) / 2} && #{i} % 8 == 0\n" }
MADE = File.join(__dir__, 'made.rb')
eval("def long\n  x = 0\n#{long.join}  mark\nend\n", binding, MADE, 5)
eval('def made(n)
  return made(n - 1) if n > 0

  instance_eval { mark }
end', TOPLEVEL_BINDING, '<made>', 7)

def evaluated
  long
  made(2)
end

def signals
  before = trap('USR1') { mark }
  Process.kill('USR1', Process.pid)
  sleep 0.001
  trap('USR1', before)
end

def once
  recursion(0)
  recursion(7)
  recursion(100)
  recursion(230)
  blocks
  procs
  objects
  exceptions
  enumerators
  fibers
  threads
  größe_名前
  calls
  evaluated
  signals
end

Probe::LEXICAL['objects'] = 'Object#'
ARGV[0].to_i.times { once }
# names of functions are read while the process is still running
Probe.warm
