<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A process that forges the data by which its frames are found (PHP 8.2's structures), makes the
 * sampled system call, and restores the data. */
require __DIR__ . '/probe.php';

$c = FFI::cdef('extern char executor_globals[2000]; int getppid(void);');

function word(int $address): FFI\CData
{
    $pointer = FFI::new('uint64_t *');
    FFI::memcpy(FFI::addr($pointer), pack('P', $address), 8);
    return $pointer;
}

/* The frame of the caller's caller. */
function frame(): int
{
    global $c;
    $globals = FFI::cast('uint64_t *', FFI::addr($c->executor_globals));
    $own = $globals[488 / 8];
    return word(word($own + 48)[0] + 48)[0];
}

function forged(int $address, int $value): void
{
    global $c;
    $place = word($address);
    $old = $place[0];
    $place[0] = $value;
    for ($i = 0; $i < 20; $i++) {
        $c->getppid();
    }
    $place[0] = $old;
}

function at(): int
{
    return frame();
}

function loop(): void
{
    forged(at() + 48, at());
}

function wild(): void
{
    forged(at() + 48, 0xdead0000);
}

function wild_function(): void
{
    forged(at() + 24, 0xdead0000);
}

function no_function(): void
{
    forged(at() + 24, at());
}

/* a forged placeholder of a generator */
function placeholder(): void
{
    forged(at() + 24, 0);
}

function huge(): void
{
    forged(word(word(at() + 24)[0] + 8)[0] + 16, 1 << 32);
}

/* Names are read later than samples are taken, so this one stays forged. */
function C0n7r01(): void
{
    global $c;
    word(word(word(at() + 24)[0] + 8)[0] + 24)[0] = 0x6261070a4a325b1b;
    for ($i = 0; $i < 60; $i++) {
        $c->getppid();
    }
}

Probe\begin();
for ($i = 0; $i < 3; $i++) {
    foreach (['loop', 'wild', 'wild_function', 'no_function', 'placeholder', 'huge'] as $f) {
        $f();
    }
}
C0n7r01();
// names of functions are read while the process is still running
Probe\warm();
echo "still here\n";
