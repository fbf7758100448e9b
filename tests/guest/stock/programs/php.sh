# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in PHP: sorting with a callback, regular expressions, recursion. Sourced
# after lib.sh.
cat >work.php <<'END2'
<?php
function depth(int $n): int { return $n ? 1 + depth($n - 1) : 0; }
class Point { public function __construct(public int $x, public int $y) {} }
function turn(): int {
	$words = [];
	for ($i = 0; $i < 2000; $i++)
		$words[] = mt_rand();
	usort($words, fn($a, $b) => $a % 1009 <=> $b % 1009);
	$text = preg_replace_callback('/(\d)(\d+?)5\b/', fn($m) => depth((int)$m[1] * 5) . $m[2],
				      implode(' ', $words));
	$points = array_map(fn($w) => new Point($w % 100, $w % 7), $words);
	$sum = 0;
	foreach ($points as $p)
		for ($i = 0; $i < 20; $i++)
			$sum += ($p->x * $i) ^ $p->y;
	return $sum + strlen($text) + count(json_decode(json_encode($words)));
}
mt_srand(1);
for ($end = microtime(true) + $argv[1]; microtime(true) < $end;)
	turn();
END2
