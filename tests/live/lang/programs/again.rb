# SPDX-License-Identifier: GPL-2.0-only
# Code that is created and freed, so that its addresses are reused again and again. Some of it lives
# long enough to be read.
require_relative 'probe'

Probe.begin

def linger(i)
  Probe.warm(0.01) if i % 5 == 0
end

def evaluated(n)
  n.times do |i|
    eval("#{"\n" * (i % 9)}linger(#{i}); mark")
    eval("proc {#{"\n" * (i % 7)} linger(#{i}); mark }").call
    thrown = Class.new
    thrown.class_eval("def m#{i % 5}\n#{"\n" * (i % 3)} linger(#{i})\n mark\nend", "thrown#{i % 2}.rb", i % 4)
    thrown.new.send("m#{i % 5}")
    GC.start
  end
end

# classes with other names at the addresses of freed ones; their methods have the same code
def named(n)
  made = ->(name) do
    Object.const_set(name, Class.new { def self.make(i) = new.call(i); def call(i) = linger(i) || mark })
  end
  n.times do |i|
    name = "#{'Made' * (i % 4)}Again#{i}"
    made.call(name).make(i)
    mark
    Object.__send__(:remove_const, name)
    GC.start if i % 3 == 0
  end
end

# a class whose name is another one as soon as the sample was taken
class Flicker0
  NAME = Fiddle::Pointer[name]

  def call(i)
    mark
    NAME[7] = '0'.ord + i % 10
  end
end

def flickering(n)
  n.times { |i| Flicker0.new.call(i) }
  Flicker0.new.call(0)
end

def loaded(n)
  path = "#{ENV['PROBE_LOG']}.loaded.rb"
  n.times do |i|
    File.write(path, "#{"\n" * i}linger(#{i})\nmark\n$made = -> { mark }\n")
    load path
    $made.call
    GC.start
  end
  File.unlink(path)
end

evaluated(ARGV[0].to_i)
named(ARGV[0].to_i)
flickering(ARGV[0].to_i)
loaded(40)
Probe.warm
