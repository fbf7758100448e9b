<?php
// SPDX-License-Identifier: GPL-2.0-only
/* Forked children that share their parent's memory, and one that executes a program. */
require __DIR__ . '/probe.php';

use function Probe\mark;

function deep(int $n): int
{
    return $n ? deep($n - 1) : mark();
}

function child(int $n): never
{
    Probe\begin('child');
    for ($i = 0; $i < 20; $i++) {
        deep($n);
        mark();
    }
    // names of functions are read while the process is still running
    Probe\warm();
    exit(0);
}

function parents(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        $pid = pcntl_fork();
        if (!$pid) {
            child($i);
        }
        for ($j = 0; $j < 20; $j++) {
            deep($i);
        }
        pcntl_waitpid($pid, $status);
    }
}

function after_exec(): void
{
    for ($i = 0; $i < 20; $i++) {
        deep($i);
    }
    Probe\warm();
}

Probe\begin($argc > 2 ? 'exec' : 'log');
if ($argc > 2) {
    after_exec();
} else {
    parents((int)$argv[1]);
    Probe\warm();
    pcntl_exec(PHP_BINARY, [__FILE__, '1', 'again']);
}
