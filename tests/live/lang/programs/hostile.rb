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

# The method of the frame at @at, which says which class it is of; nothing else uses that here.
def owner(at)
  word(word(at + 32) - 16) + 32
end

# An object that is never freed, made of words.
def made(*words)
  Fiddle::Pointer.malloc(8 * words.size).tap { |p| p[0, 8 * words.size] = words.pack('Q*') }.to_i
end

# A class with one variable.
def class_with(id, value, flags: 2)
  made(flags, 0, 0, made(0, made(0, 0, 1, 0, 0, 1, made(7, id, value))))
end

# The number of the variable with the class's name, and with the object of a singleton class.
def number_of_variable(of)
  word(word(word(word(Fiddle.dlwrap(of) + 24) + 8) + 48) + 8)
end

def no_method
  forged(word(at + 32) - 16, 0xdead0000)
end

def not_a_method
  forged(word(at + 32) - 16, Fiddle.dlwrap('a string'))
end

class Stranger
  def self.method = word(word(at + 32) - 16)
end

# a method, but not the one that has this code
def of_a_stranger
  forged(word(at + 32) - 16, Stranger.method)
end

def of_no_class
  place = owner(at)
  WRONG_CLASSES.each { |value| forged(place, value) }
end

def of_a_forged_class
  forged(owner(at), CONTROLS, 60)
end

def of_a_forged_class_itself
  forged(owner(at), OF_CONTROLS, 60)
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
NAME, ATTACHED = [Object, Object.singleton_class].map { |c| number_of_variable(c) }
WILD = 0xdead0000
CONTROLS = class_with(NAME, made(5 | 6 << 14, 0, 0x0a4a325b1b41, 0))
OF_CONTROLS = class_with(ATTACHED, CONTROLS, flags: 0x1002)
ITSELF = class_with(ATTACHED, 0, flags: 0x1002)
put(word(word(word(ITSELF + 24) + 8) + 48) + 16, ITSELF)
WRONG_CLASSES = [
  0, WILD, Fiddle.dlwrap('a string'), made(2, 0, 0, WILD), made(2, 0, 0, made(0, WILD)),
  made(2, 0, 0, made(0, made(0, 0, 1, 0, 0, 1 << 60, WILD))), class_with(NAME, WILD), class_with(NAME, 3),
  class_with(NAME, Fiddle.dlwrap(Object)), class_with(NAME, made(5 | 1 << 13, 0, 1 << 60, WILD)),
  class_with(NAME, made(5 | 1 << 13, 0, 1 << 60, Fiddle.dlwrap(HUGE))), class_with(1, Fiddle.dlwrap(HUGE)),
  class_with(ATTACHED, WILD, flags: 0x1002), class_with(NAME, CONTROLS, flags: 0x1002), ITSELF
].freeze
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
  no_method
  not_a_method
  of_a_stranger
  of_no_class
  of_a_forged_class
  of_a_forged_class_itself
  endless(400)
end
put(address + 16, 64)
C0n7r01()
# names of functions are read while the process is still running
Probe.warm
puts 'still here'
