# SPDX-License-Identifier: GPL-2.0-only
# Ractors: interpreters in one process, each with its own threads. They do not write to the log
# themselves, as they may not use objects of others; so classes of methods are said by hand.
require_relative 'probe'

Warning[:experimental] = false
Probe.begin

MAPPING = __LINE__ + 11
OWNERS = Ractor.make_shareable({ 'deep' => 'Object#', 'each' => 'Range#', 'map' => 'Enumerable#' })

def name_of(location)
  base = location.base_label
  owner = OWNERS[base]
  owner = 'Array#' if base == 'map' && location.lineno == MAPPING
  "#{location.label.delete_suffix(base)}#{owner}#{base}"
end

def deep(n)
  return [1].map { deep(n - 1) }[0] if n > 0

  frames = caller_locations(0).map { |l| [name_of(l), l.path || '', l.lineno || 0] }
  frames[0][2] += 2
  Process.ppid
  [['Process.ppid', *frames[0].drop(1)], *frames]
end

Probe.write(deep(0))
ARGV[0].to_i.times do
  made = (0..3).map { |i| Ractor.new(i) { |n| (0..9).map { |j| deep(n + j) } } }
  made.each { |r| r.take.each { |frames| Probe.write(frames) } }
end
Probe.warm
