# SPDX-License-Identifier: GPL-2.0-only
# Methods of all kinds of classes; each says by hand which name it has to have.
require_relative 'probe'

Probe.begin

class Base
  def inherited = mark_in('Base#inherited')

  def overridden(name = 'Base#overridden') = mark_in(name)

  def each_one
    [1].each { |x| [x].map { mark_in('block (2 levels) in Base#each_one') } }
    yield
  end

  def rescuing
    raise 'once'
  rescue StandardError
    mark_in('rescue in Base#rescuing')
    begin
      mark_in('rescue in Base#rescuing')
    ensure
      mark_in('rescue in Base#rescuing')
    end
  end

  # what follows a raise is code of its own
  def ensuring
    [1].each do
      raise 'once'
    ensure
      mark_in('ensure in block in Base#ensuring')
    end
  rescue StandardError
    mark_in('rescue in Base#ensuring')
  end

  def evaluating
    eval("mark_in('Base#evaluating')")
    [1].each { eval("mark_in('block in Base#evaluating')") }
    binding.eval("proc { mark_in('block in Base#evaluating') }").call
    instance_eval { mark_in('block in Base#evaluating') }
    self.class.class_eval { mark_in('block in Base#evaluating') }
    self.class.class_eval("def textual = mark_in(\"\#{self.class}#textual\")")
    textual
  end

  # $~ makes a frame keep its method elsewhere
  def matching
    'banana' =~ /an/
    mark_in('Base#matching')
    'banana'.gsub(/an/) { mark_in('block in Base#matching') }
    [$~, $_]
  end

  def self.of_class = mark_in('Base.of_class')

  class << self
    def of_singleton = mark_in('Base.of_singleton')
    attr_accessor :kept

    class << self
      def of_singleton_of_singleton = mark_in('of_singleton_of_singleton')
    end
  end

  define_method(:defined) { mark_in('block in <class:Base>') }

  # the block is code of this method, whichever class has the method that it becomes
  def self.define(name, to = self)
    to.define_method(name) { mark_in('block in Base.define') }
  end

  def method_missing(name, *)
    mark_in('Base#method_missing')
    name == :unknown ? nil : super
  end

  def respond_to_missing?(*) = true
  def +(_other) = mark_in('Base#+')
  def []=(_at, value); mark_in('Base#[]='); value; end
  def größe = mark_in('Base#größe')
  def recursive(n) = n > 0 ? recursive(n - 1) : mark_in('Base#recursive')
  alias other_name inherited
  protected def guarded = mark_in('Base#guarded')
  def guard(other) = other.guarded
  private def hidden = mark_in('Base#hidden')
  def reveal = send(:hidden)
end

class Derived < Base
  def overridden
    mark_in('Derived#overridden')
    super('Base#overridden')
  end

  def others
    super_method_of(:inherited)
  end

  def super_method_of(name) = method(name).super_method&.call || method(name).call
end

module Mixed
  def mixed = mark_in('Mixed#mixed')
  def self.of_module = mark_in('Mixed.of_module')
  module_function def both(name = 'Mixed.both') = mark_in(name)
end

module Before
  def inherited
    mark_in('Before#inherited')
    super
  end
end

module App
  class Server
    include Mixed
    def handle = [1].each { mark_in('block in App::Server#handle') }
    def self.create = mark_in('App::Server.create')

    module Inner
      class Deep
        def handle = mark_in('App::Server::Inner::Deep#handle')
      end
    end
  end
end

class AVeryLongNameOfAClassThatDoesNotFitIntoASmallString
  class AndAnotherOne
    def handle = mark_in('AVeryLongNameOfAClassThatDoesNotFitIntoASmallString::AndAnotherOne#handle')
    def self.create = mark_in('AVeryLongNameOfAClassThatDoesNotFitIntoASmallString::AndAnotherOne.create')
  end
end

module Refined
  refine Integer do
    def refined = mark_in('refined')
  end
end
using Refined

# named after they have variables of their own, so that the name is not their first one
Late = Class.new do
  @a = @b = @c = 1
  def handle(name = 'Late#handle') = mark_in(name)
  def self.create = mark_in('Late.create')
end
Record = Struct.new(:x) do
  def handle = mark_in('Record#handle')
  def self.create = mark_in('Record.create')
end

class Many
  20.times { |i| instance_variable_set("@v#{i}", "Wrong#{i}") }
  5.times { |i| remove_instance_variable("@v#{i}") }
  def handle = mark_in('Many#handle')
  def self.create = mark_in('Many.create')
end

# the same code is a method of several classes
def same(name, n)
  all = (0...n).map { |i| Class.new { define_singleton_method(:number) { i }; def shared(name) = mark_in(name) } }
  all.each { |c| c.new.shared('shared') }
  First.__send__(:remove_const, :Twin) if First.const_defined?(:Twin)
  Second.__send__(:remove_const, :Twin) if Second.const_defined?(:Twin)
  First.const_set(:Twin, all[0])
  Second.const_set(:Twin, all[1])
  all[0].new.shared('First::Twin#shared')
  all[1].new.shared('Second::Twin#shared')
  all[0].new.shared('First::Twin#shared')
  all[2].new.shared(name)
end
module First; end
module Second; end

def renamed
  made = Class.new { def handle(name) = mark_in(name); def self.create(name) = mark_in(name) }
  made.new.handle('handle')
  made.create('create')
  Object.__send__(:remove_const, :Named) if Object.const_defined?(:Named)
  Object.const_set(:Named, made)
  made.new.handle('Named#handle')
  made.create('Named.create')
  Object.const_set(:Again, made) unless Object.const_defined?(:Again)
  made.new.handle('Named#handle')
  outer = Class.new
  outer.const_set(:Inner, Class.new { def handle = mark_in('handle') })
  outer::Inner.new.handle
  return unless made.respond_to?(:set_temporary_name)

  other = Class.new { def handle = mark_in('handle') }
  other.set_temporary_name('a_name<for>a_while')
  other.new.handle
end

# methods that get into a class by other ways than def
class Borrower < Base
  define_method(:borrowed, Base.instance_method(:overridden))
  define_method(:from_module, Mixed.instance_method(:both))
  alias_method :aliased, :overridden
  public :hidden
  instance_eval("def self.of_text = mark_in('Borrower.of_text')")
  class_eval("def of_text = mark_in('Borrower#of_text')", 'made.rb', 7)
end

class Bare < BasicObject
  def handle = ::Base.instance_exec { mark_in('block in Bare#handle') }
  def self.create = mark_in('Bare.create')
end

def borrowed
  b = Borrower.new
  b.borrowed('Borrower#overridden')
  b.from_module('Borrower#both')
  # method(:aliased).owner says so, and labels of 3.4; the interface tells where super goes on from
  b.aliased("#{b.method(:aliased).owner}#overridden")
  b.hidden
  b.of_text
  Borrower.of_text
  Bare.create
  Bare.new.handle
  Base.clone.new.overridden('overridden')
  Base.dup.new.overridden('overridden')
  Mixed.clone.both('both')
  Base.instance_method(:overridden).bind_call(b, 'Base#overridden')
  b.method(:overridden).to_proc.call('Base#overridden')
  Object.const_set(:Copy, Base.clone) unless Object.const_defined?(:Copy)
  Copy.new.overridden('Copy#overridden')
  Class.new(Base) { include Mixed }.new.mixed
  Class.new(Base).new.overridden('Base#overridden')
  Module.new { def self.go = mark_in('go') }.go
end

def of_objects
  a = Base.new
  def a.single = mark_in('single')
  a.single
  a.extend(Mixed)
  a.mixed
  def self.of_main = mark_in('of_main')
  of_main
  a.singleton_class.class_eval { def evaluated = mark_in('evaluated') }
  a.evaluated
end

def in_c
  [2, 1].sort_by { mark }
  2.times { mark }
  { a: 1 }.each { mark }
  'a'.tap { mark }
  loop { mark; break }
  Class.new(Array) { mark }.new(1) { mark }
  Base.new.instance_exec { mark }
  [Base.new].each(&:inherited)
  %w[a].each(&method(:mark))
  Comparable.instance_method(:clamp).bind_call(1, 0, 2)
  Base.instance_method(:inherited).bind_call(Derived.new)
  Fiber.new { mark }.resume
  Thread.new { mark }.join
  Enumerator.new { |y| mark; y << 1 }.next
end

Base.define(:made_by_method)
Base.define(:made_for_other, Derived)
Derived.prepend(Before)

def once
  base = Base.new
  derived = Derived.new
  [base, derived].each do |x|
    x.inherited
    x.other_name
    x.each_one { mark_in('block (2 levels) in Object#once') }
    x.rescuing
    x.ensuring
    x.evaluating
    x.matching
    x.defined
    x.made_by_method
    x.unknown
    x + 1
    x[1] = 2
    x.größe
    x.recursive(30)
    x.guard(base)
    x.reveal
    x.class.of_class
    x.class.of_singleton
  end
  derived.overridden
  derived.made_for_other
  Base.singleton_class.of_singleton_of_singleton
  App::Server.new.mixed
  App::Server.new.handle
  App::Server.create
  App::Server::Inner::Deep.new.handle
  AVeryLongNameOfAClassThatDoesNotFitIntoASmallString::AndAnotherOne.new.handle
  AVeryLongNameOfAClassThatDoesNotFitIntoASmallString::AndAnotherOne.create
  Mixed.of_module
  Mixed.both
  Class.new { include Mixed; def go = both('Mixed#both') }.new.go
  Object.new.extend(Mixed).mixed
  7.refined
  Late.new.handle
  Late.create
  Record.new.handle
  Record.create
  Many.new.handle
  Many.create
  same('shared', 12)
  renamed
  borrowed
  of_objects
  in_c
end

Probe::LEXICAL['define'] = 'Base.'
ARGV[0].to_i.times { once }
# names of functions are read while the process is still running
Probe.warm
