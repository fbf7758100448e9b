# SPDX-License-Identifier: GPL-2.0-only
# A program's own idea of its stack. mark() writes down what caller_locations() has, innermost frame
# first, and makes the system call that is sampled; so each sample has a stack that is known, line
# by line. A function in C has file and line of the Ruby function that called it, as Ruby says it.
require 'json'

module Probe
  LINE = __LINE__ + 27

  # Each process has a log of its own.
  def self.begin(name = 'log')
    $probe_log = File.open("#{ENV['PROBE_LOG']}.#{name}.#{Process.pid}", 'w')
    $probe_log.sync = true
    warm
  end

  def self.now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # Samples of a process that is not known yet have no frames of a language.
  def self.warm(seconds = 0.5)
    over = now + seconds
    Process.ppid while now < over
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
