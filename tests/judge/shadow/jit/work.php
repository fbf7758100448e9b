<?php
// SPDX-License-Identifier: GPL-2.0-only
// Regular expressions, which PCRE2 compiles, after a stop.
function depth(int $n): int { return $n ? 1 + depth($n - 1) : 0; }
function turn(int $k): int {
	$words = [];
	for ($i = 0; $i < $k; $i++)
		$words[] = mt_rand();
	$text = preg_replace_callback('/(\d)(\d+?)5\b/', fn($m) => depth((int)$m[1] * 5) . $m[2],
				      implode(' ', $words));
	return strlen($text) + preg_match_all('/(?:(\d+?)7)+|(?<a>[13]{2,})(\d*)/', $text, $m);
}
mt_srand(1);
turn(100);
posix_kill(posix_getpid(), 19);
while (true)
	turn(20);
