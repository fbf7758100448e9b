<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A process that waits, and writes down where. */
require __DIR__ . '/probe.php';

/* The caller is about to wait in its next line, in the C function @in. */
function about_to(string $in): void
{
    $frames = Probe\stack(debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS));
    $frames[0][2]++;
    Probe\write([[$in, '', 0], ...$frames]);
}

function sleeps(int $depth, int $n): void
{
    if ($depth) {
        sleeps($depth - 1, $n);
        return;
    }
    for ($i = 0; $i < $n; $i++) {
        about_to('usleep');
        usleep(20000);
    }
}

function selects(int $n): void
{
    [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    for ($i = 0; $i < $n; $i++) {
        $read = [$a];
        $none = null;
        about_to('stream_select');
        stream_select($read, $none, $none, 0, 20000);
    }
}

function in_callback(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        array_map(function ($x) {
            about_to('usleep');
            usleep(20000);
        }, [1]);
    }
}

Probe\begin();
sleeps(0, (int)$argv[1]);
sleeps(12, (int)$argv[1]);
selects((int)$argv[1]);
in_callback((int)$argv[1]);
