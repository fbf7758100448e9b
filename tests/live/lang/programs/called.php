<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A program whose code, compiled by the JIT, often calls other code of the JIT that has a frame of
 * its own: assignments to references and typed properties, which run destructors, and errors. */

function work(int $n): int
{
    $s = 0;
    for ($i = 0; $i < 40; $i++) {
        $s += $i * $n;
    }
    return $s;
}

class Thing
{
    public int $number = 1;
    public ?Thing $other = null;
    public static $shared = null;

    private $n;

    public function __construct($n)
    {
        $this->n = $n;
    }

    public function set(): void
    {
        for ($i = 0; $i < 50; $i++) {
            $this->n = $i;
        }
    }

    public function __destruct()
    {
        work($this->n);
    }
}

function references(array &$all, &$x, int $i): void
{
    $x = new Thing($i);
    $x = null;
    $x = "s$i";
    $x = [$i];
    $all[] = $x;
    $x = new Thing($i);
    $x = $i;
}

function typed(Thing $t, int $i): void
{
    $t->number = $i;
    $t->other = new Thing($i);
    $t->other = null;
    $r = &$t->other;
    $r = new Thing($i);
    $r = null;
    Thing::$shared = new Thing($i);
    Thing::$shared = $i;
}

function variables(int $i): array
{
    $a = new Thing($i);
    $b = $a;
    $a = null;
    $b = new Thing($i + 1);
    $b = $i;
    $c = [new Thing($i)];
    $c = [$b];
    return $c;
}

function errors(int $i): void
{
    $full = [PHP_INT_MAX => 1];
    try {
        $full[] = 2;
    } catch (Error $e) {
    }
    try {
        $x = $i % ($i & 0);
    } catch (DivisionByZeroError $e) {
    }
    try {
        $y = 1 << (-1 - $i);
    } catch (ArithmeticError $e) {
    }
    try {
        $f = "missing$i";
        $f();
    } catch (Error $e) {
    }
}

for ($end = microtime(true) + (float)$argv[1]; microtime(true) < $end;) {
    for ($i = 0; $i < 100; $i++) {
        $all = [];
        $x = 1;
        references($all, $x, $i % 10);
        typed(new Thing(1), $i % 10);
        variables($i % 10);
        errors($i);
        (new Thing(2))->set();
    }
}
