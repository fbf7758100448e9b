# SPDX-License-Identifier: GPL-2.0-only
# A process that forges the data by which its frames are found (Ruby 3.1's structures), makes the
# sampled system call, and restores the data.
require_relative 'probe'
require 'fiddle'

GETPPID = Fiddle::Function.new(Fiddle::Handle::DEFAULT['getppid'], [], Fiddle::TYPE_INT)
# in this thread
EC = Fiddle::Pointer.new(Fiddle::Handle::DEFAULT['ruby_current_ec'], 8)

def word(at)
  Fiddle::Pointer.new(at, 8)[0, 8].unpack1('Q')
end

def put(at, value)
  Fiddle::Pointer.new(at, 8)[0, 8] = [value].pack('Q')
end

def ec
  EC[0, 8].unpack1('Q')
end

# The frame of the caller's caller, which called this.
def frame
  at = word(ec + 16)
  at += 64 until word(at + 16) != 0 && label(at) == 'frame'
  at + 128
end

def body(at)
  word(word(at + 16) + 16)
end

def label(at)
  string = word(body(at) + 80)
  word(string) >> 13 & 1 == 1 ? Fiddle::Pointer.new(word(string + 24))[0, 5] : Fiddle::Pointer.new(string + 16)[0, 5]
end

def forged(at, value, count = 20)
  old = word(at)
  put(at, value)
  count.times { GETPPID.call }
ensure
  put(at, old)
end

def at
  frame
end

def no_environment
  forged(at + 32, 0xdead0000)
end

def wild_code
  forged(at + 16, 0xdead0000)
end

def other_code
  forged(at + 16, Fiddle.dlwrap('a string'))
end

def wild_body
  forged(word(at + 16) + 16, 0xdead0000)
end

def wild_place
  forged(at, 0xdead0000)
end

def huge_stack
  forged(ec + 8, 1 << 20)
end

def endless_stack
  forged(ec + 8, 1 << 60)
end

# a file name of 4 GB
def huge
  path = body(at) + 64
  forged(path, Fiddle.dlwrap(HUGE))
end

def endless(n)
  return endless(n - 1) if n > 0

  60.times { GETPPID.call }
end

# Names are read later than samples are taken, so this one stays forged.
def C0n7r01
  put(word(body(at) + 80) + 16, 0x6261070a4a325b1b)
  i = 0
  while i < 60
    GETPPID.call
    i += 1
  end
end

HUGE = 'x' * 64
Probe.begin
GC.disable
address = Fiddle.dlwrap(HUGE)
put(address + 16, 1 << 32)
3.times do
  no_environment
  wild_code
  other_code
  wild_body
  wild_place
  huge_stack
  endless_stack
  huge
  endless(400)
end
put(address + 16, 64)
C0n7r01()
# names of functions are read while the process is still running
Probe.warm
puts 'still here'
