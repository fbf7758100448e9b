# SPDX-License-Identifier: GPL-2.0-only
# A program's own view of its stack. mark() writes down what caller_locations() returns, innermost
# frame first, and makes the system call that is sampled; so the stack of each sample is known, line
# by line. As in Ruby's own traces, a C function has the file and line of the Ruby code that called it.
require 'json'

module Probe
  LINE = __LINE__ + 31

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
  def self.warm(seconds = 0.5)
    over = now + seconds
    while now < over
      Process.ppid
      sleep 0.004
    end
  end

  def self.write(frames)
    $probe_log.write(JSON.generate(frames) + "\n")
  end
end

def mark(*)
  frames = caller_locations(0).map { |l| [l.label, l.path || '', l.lineno || 0] }
  Probe.write([['ppid', __FILE__, Probe::LINE], ['mark', __FILE__, Probe::LINE], *frames.drop(1)])
  Process.ppid
  0
end
