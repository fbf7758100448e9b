<?php
// SPDX-License-Identifier: GPL-2.0-only
/* Fibers: each has its own stack, both of PHP frames and of native frames. */
require __DIR__ . '/probe.php';

use function Probe\mark;

function deep(int $n): int
{
    return $n ? deep($n - 1) : mark();
}

function work(int $n): void
{
    for ($i = 0; $i < 3; $i++) {
        deep($n);
        Fiber::suspend();
        mark();
    }
}

function nested(): void
{
    $inner = new Fiber('work');
    $inner->start(1);
    mark();
    $inner->resume();
}

function main(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        $fiber = new Fiber('work');
        $fiber->start($i % 5);
        while (!$fiber->isTerminated()) {
            mark();
            $fiber->resume();
        }
        (new Fiber('nested'))->start();
    }
}

Probe\begin();
main((int)$argv[1]);
Probe\warm();
