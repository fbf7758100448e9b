# SPDX-License-Identifier: GPL-2.0-only
# Forked children that share their parent's memory, and one that executes a program.
require_relative 'probe'
require 'rbconfig'

def deep(n)
  n > 0 ? deep(n - 1) : mark
end

def child(n)
  Probe.begin('child')
  20.times do
    deep(n)
    mark
  end
  # names of functions are read while the process is still running
  Probe.warm
  exit!(0)
end

def parents(n)
  n.times do |i|
    pid = fork { child(i) }
    20.times { deep(i) }
    Process.wait(pid)
  end
end

def after_exec
  20.times { |i| deep(i) }
  Probe.warm
end

Probe.begin(ARGV.size > 1 ? 'exec' : 'log')
if ARGV.size > 1
  after_exec
else
  parents(ARGV[0].to_i)
  Probe.warm
  exec(ENV['PROBE_RUBY'] || RbConfig.ruby, __FILE__, '1', 'again')
end
