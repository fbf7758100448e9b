# SPDX-License-Identifier: GPL-2.0-only
# A process that waits, and writes down where.
require_relative 'probe'

# The caller is about to wait in its next line, in the C function @name.
def about_to(name)
  frames = Probe.stack.drop(1)
  frames[0][2] += 1
  Probe.write([[name, frames[0][1], frames[0][2]], *frames])
end

def sleeps(depth, n)
  return sleeps(depth - 1, n) if depth > 0

  n.times do
    about_to('Kernel#sleep')
    sleep 0.02
  end
end

def selects(n)
  a, = IO.pipe
  n.times do
    about_to('IO.select')
    IO.select([a], nil, nil, 0.02)
  end
end

# the thread has released the lock, and another one runs
def joins(n)
  other = Thread.new { sleep }
  n.times do
    about_to('Thread#join')
    other.join(0.02)
  end
  other.kill
end

def in_fiber(n)
  Fiber.new { sleeps(3, n) }.resume
end

def in_block(n)
  n.times do
    [1].each do
      about_to('Kernel#sleep')
      sleep 0.02
    end
  end
end

Probe.begin
n = ARGV[0].to_i
sleeps(0, n)
sleeps(12, n)
selects(n)
joins(n)
in_fiber(n)
in_block(n)
Thread.new { sleeps(5, n) }.join
