# SPDX-License-Identifier: GPL-2.0-only
# Turns of turn.rb, which YJIT compiles; it stops before those that are judged.
random = Random.new(1)
5.times { turn(random, 500) }
Process.kill(:STOP, $$)
loop { turn(random, 30) }
