# SPDX-License-Identifier: GPL-2.0-only
# A program that is sampled anywhere. A comment after a call names what it calls: so the line of each
# caller in a stack tells which callees are possible; a leaf may be at any of its lines. With the
# argument "lines" it prints the lines of its functions. While a method rescues, its line is that of
# its begin or rescue, as in Ruby's own traces.

def leaf(n)
  s = 0
  i = 0
  while i < n
    s += i * i
    i += 1
  end
  s
end

def compare(a, b)
  leaf(4) + a <=> leaf(4) + b #> Object#leaf
end

def sorting
  a = 40.downto(1).to_a
  a.sort { |x, y| compare(x, y) } #> block in Object#sorting,Object#compare
end

def counting
  s = 0
  20.times do |i| #> block in Object#counting
    s += leaf(i) #> Object#leaf
  end
  [1, 2, 3].each do |x| #> block in Object#counting
    [4, 5].each do |y| #> block (2 levels) in Object#counting
      s += leaf(x + y) #> Object#leaf
    end
  end
  s
end

def numbers(n)
  n.times do |i| #> block in Object#numbers
    leaf(5) #> Object#leaf
    yield i #> block in Object#generated
  end
end

def generated
  s = 0
  numbers(20) { |x| s += x } #> Object#numbers,block in Object#generated
  s
end

def words
  all = []
  40.times { |i| all << "word #{i} of #{"line #{i}".reverse}" } #> block in Object#words
  all.join(' ').gsub(/line/) { |w| w.upcase } #> block in Object#words
end

ADD = ->(x) { leaf(x) } #> Object#leaf

def mapped
  [1, 2, 3, 4].map(&ADD).sum + ADD.call(3) #> block in <main>
end

def raising(n)
  raise 'thrown' if n == 0

  begin #> rescue in Object#raising
    raising(n - 1) #> Object#raising
  rescue RuntimeError
    leaf(4) #> Object#leaf
    raise
  end
end

def caught
  raising(8) #> Object#raising
rescue RuntimeError #> rescue in Object#caught
  leaf(9) #> Object#leaf
ensure
  leaf(2) #> Object#leaf
end

class Thing
  def initialize(n)
    @n = n
    leaf(1) #> Object#leaf
  end

  def walk(n)
    return walk(n - 1) if n > 0 #> Thing#walk

    short #> block in <class:Thing>
  end

  define_method(:short) { leaf(@n) } #> Object#leaf

  def method_missing(name, n)
    leaf(n) #> Object#leaf
  end

  def respond_to_missing?(*) = true

  def self.all
    all = (0...20).map { |i| Thing.new(i) } #> block in Thing.all,Thing#initialize
    all[3].walk(15) + all[4].other(3) #> Thing#walk,Thing#method_missing
  end
end

def fibonacci(n)
  n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) #> Object#fibonacci
end

def once
  sorting #> Object#sorting
  counting #> Object#counting
  generated #> Object#generated
  words #> Object#words
  mapped #> Object#mapped
  caught #> Object#caught
  Thing.all #> Thing.all
  fibonacci(10) #> Object#fibonacci
end

def main(seconds)
  over = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  once while Process.clock_gettime(Process::CLOCK_MONOTONIC) < over #> Object#once
end

def lines(code, all = {})
  from, _, to, = code.to_a[4][:code_location]
  known = all[code.label] || [from, to]
  all[code.label] = [[known[0], from].min, [known[1], to].max]
  code.each_child { |c| lines(c, all) }
  all
end

if ARGV[0] == 'lines'
  require 'json'
  puts JSON.generate(lines(RubyVM::InstructionSequence.compile_file(__FILE__)))
else
  main(ARGV[0].to_f) #> Object#main
end
