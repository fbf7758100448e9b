<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A program that is sampled anywhere. A comment after a call names what it calls: so the line of each
 * caller in a stack tells which callees are possible; a leaf may be at any of its lines. With the
 * argument "lines" it prints the lines of its functions. */

function leaf(int $n): int
{
    $s = 0;
    for ($i = 0; $i < $n; $i++) {
        $s += $i * $i;
    }
    return $s;
}

function compare(int $a, int $b): int
{
    return leaf(4) + $a <=> leaf(4) + $b; //> leaf
}

function sorting(): array
{
    $a = range(40, 1);
    usort($a, 'compare'); //> compare
    return $a;
}

function numbers(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        leaf(5); //> leaf
        yield $i;
    }
}

function delegating(int $n)
{
    yield from numbers($n); //> numbers
    leaf(20); //> leaf
}

function generated(): int
{
    $s = 0;
    foreach (delegating(20) as $x) { //> delegating,numbers
        $s += $x;
    }
    return $s;
}

function words(): string
{
    $words = [];
    for ($i = 0; $i < 40; $i++) {
        $words[] = "word $i of " . strrev("line $i");
    }
    return implode(' ', $words);
}

function mapped(): array
{
    return array_map('leaf', [1, 2, 3, 4]); //> leaf
}

function raising(int $n)
{
    if ($n) {
        try {
            return raising($n - 1); //> raising
        } catch (RuntimeException $e) {
            leaf(4); //> leaf
            throw $e;
        }
    }
    throw new RuntimeException('thrown');
}

function caught(): int
{
    try {
        raising(8); //> raising
    } catch (RuntimeException $e) {
        return leaf(9); //> leaf
    }
}

class Thing
{
    public function __construct(private int $n)
    {
        leaf(1); //> leaf
    }

    public function __destruct()
    {
        leaf(2); //> leaf
    }

    public function walk(int $n): int
    {
        if ($n) {
            return $this->walk($n - 1); //> Thing::walk
        }
        return $this->short(); //> Thing::short
    }

    private function short(): int
    {
        return $this->n;
    }

    public static function all(): int
    {
        $all = [];
        for ($i = 0; $i < 20; $i++) {
            $all[] = new Thing($i); //> Thing::__construct
        }
        return $all[3]->walk(15); //> Thing::walk
    } //> Thing::__destruct
}

function fibonacci(int $n): int
{
    return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2); //> fibonacci
}

function once(): void
{
    sorting(); //> sorting
    generated(); //> generated
    words(); //> words
    mapped(); //> mapped
    caught(); //> caught
    Thing::all(); //> Thing::all,Thing::__destruct
    fibonacci(10); //> fibonacci
}

function main(float $seconds): void
{
    for ($end = microtime(true) + $seconds; microtime(true) < $end;) {
        once(); //> once
    }
}

function lines(): array
{
    $all = ['{main}' => [1, 9999]];
    foreach (get_defined_functions()['user'] as $name) {
        $f = new ReflectionFunction($name);
        $all[$f->getName()] = [$f->getStartLine(), $f->getEndLine()];
    }
    foreach ((new ReflectionClass('Thing'))->getMethods() as $f) {
        $all['Thing::' . $f->getName()] = [$f->getStartLine(), $f->getEndLine()];
    }
    return $all;
}

if ($argv[1] === 'lines') {
    echo json_encode(lines());
} else {
    main((float)$argv[1]); //> main
}
