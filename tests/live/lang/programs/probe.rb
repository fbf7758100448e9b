# SPDX-License-Identifier: GPL-2.0-only
# A program's own view of its stack. mark() writes down what caller_locations() returns, innermost
# frame first, and makes the system call that is sampled; so the stack of each sample is known, line
# by line. As in Ruby's own traces, a C function has the file and line of the Ruby code that called it.
# Labels of 3.1 and 3.3 have no class. The interpreter's C interface for profilers (rb_profile_frames)
# tells the class of each method; the labels get it as those of 3.4 have it.
require 'fiddle'
require 'json'

module Probe
  LINE = __LINE__ + 97
  MOST = 1000
  # Methods whose blocks became methods by define_method, with their class: the interpreter does not
  # tell the class of such frames.
  LEXICAL = {}

  def self.api(name, types, result)
    Fiddle::Function.new(Fiddle::Handle::DEFAULT["rb_profile_#{name}"], types, result, need_gvl: true)
  end

  FRAMES = api('frames', [Fiddle::TYPE_INT, Fiddle::TYPE_INT, Fiddle::TYPE_VOIDP, Fiddle::TYPE_VOIDP],
               Fiddle::TYPE_INT)
  ABOUT = %w[base_label method_name classpath singleton_method_p].to_h do |name|
    [name, api("frame_#{name}", [Fiddle::TYPE_UINTPTR_T], Fiddle::TYPE_UINTPTR_T)]
  end

  def self.about(frame, name)
    Fiddle.dlunwrap(ABOUT[name].call(frame))
  end

  # The method of each frame, outermost first, and its class with "#", or "." for a method of the
  # class itself; nil if the class has no name.
  def self.methods_of_frames
    # the interface returns addresses of objects that may move
    was_disabled = GC.disable
    # another thread may run between the call and the reading, so that each call has memory of its own
    frames, lines = [8, 4].map { |bytes| Fiddle::Pointer.malloc(bytes * MOST, Fiddle::RUBY_FREE) }
    n = FRAMES.call(0, MOST, frames, lines)
    frames[0, 8 * n].unpack('Q*').reverse.map do |frame|
      owner = about(frame, 'classpath')
      # other names are those of anonymous classes and objects: #<Class:0x00007f...>
      owner = owner&.match?(/\A\p{Lu}/) ? "#{owner}#{about(frame, 'singleton_method_p') ? '.' : '#'}" : nil
      [about(frame, 'base_label') || about(frame, 'method_name'), owner]
    end
  ensure
    GC.enable unless was_disabled
  end

  def self.qualified(location, owner)
    base = location.base_label
    owner ||= LEXICAL[base]
    owner ? "#{location.label.delete_suffix(base)}#{owner}#{base}" : location.label
  end

  # Name, file and line of each frame of the caller, innermost first. The interface has frames that
  # caller_locations() leaves out; each has the method of a frame before it.
  def self.stack
    locations = caller_locations(1)
    methods = methods_of_frames
    locations.reverse.map do |l|
      methods.shift until methods.empty? || methods[0][0] == l.base_label
      raise "#{l} has no method" if methods.empty?

      [qualified(l, methods.shift[1]), l.path || '', l.lineno || 0]
    end.reverse
  end

  # Each process has its own log.
  def self.begin(name = 'log')
    $probe_log = File.open("#{ENV['PROBE_LOG']}.#{name}.#{Process.pid}", 'w')
    $probe_log.sync = true
    warm
  end

  def self.now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # Samples have no frames of a language until ustack has inspected the process. Each sample asks for
  # that, so a hundred are enough. A pause is longer than the shortest wait that is recorded.
  # PROBE_SLOW is how many times slower the machine is than others.
  def self.warm(seconds = 0.5)
    over = now + seconds * ENV.fetch('PROBE_SLOW', 1).to_f
    while now < over
      Process.ppid
      sleep 0.004
    end
  end

  def self.write(frames)
    $probe_log.write(JSON.generate(frames) + "\n")
  end
end

# The caller is said to have the name @name.
def mark_in(name)
  frames = Probe.stack
  puts "#{frames[1][0]} is said to be #{name}" if frames[1][0] != name
  frames[1][0] = name
  frames[0][2] += 5
  Probe.write([['Process.ppid', __FILE__, frames[0][2]], *frames])
  Process.ppid
end

def mark(*)
  frames = Probe.stack
  Probe.write([['Process.ppid', __FILE__, Probe::LINE], ['Object#mark', __FILE__, Probe::LINE], *frames.drop(1)])
  Process.ppid
  0
end
