<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A program's own view of its stack. mark() writes down what debug_backtrace() returns, innermost
 * frame first, and makes the system call that is sampled; so the stack of each sample is known, line
 * by line. */
namespace Probe;

/* Each process has its own log. */
function begin(string $name = 'log'): void
{
    global $probe_log;
    $probe_log = fopen(getenv('PROBE_LOG') . ".$name." . getmypid(), 'w');
    stream_set_write_buffer($probe_log, 0);
    warm();
}

/* Samples have no frames of a language until ustack has inspected the process. Each sample asks for
 * that, so a hundred are enough. A pause is longer than the shortest wait that is recorded. PROBE_SLOW
 * is how many times slower the machine is than others. */
function warm(int $ms = 500): void
{
    $ms *= (int)(getenv('PROBE_SLOW') ?: 1);
    for ($end = hrtime(true) + $ms * 1000000; hrtime(true) < $end;) {
        posix_getppid();
        usleep(4000);
    }
}

/* A frame as in the profile: the function of a trace's entry, which has where it was called, with its
 * own current place, which is in the entry before. */
function frame(array $of, string $file, int $line, bool $outermost): array
{
    if (in_array($of['function'], ['include', 'include_once', 'require', 'require_once'])) {
        return [$outermost ? '{main}' : '{include}', $file, $line];
    }
    if ($of['function'] === 'eval' && str_contains($file, "eval()'d code")) {
        return ['{eval}', $file, $line];
    }
    $class = strtok($of['class'] ?? '', "\0");
    return [($class === false ? '' : "$class::") . $of['function'], $file, $line];
}

/* @place: current place of the caller, if that is not where it calls this function. */
function stack(array $trace): array
{
    $frames = [];
    $place = ['', 0];
    foreach ($trace as $i => $of) {
        if ($i) {
            $frames[] = frame($of, $place[0], $place[1], false);
        }
        $place = [$of['file'] ?? '', $of['line'] ?? 0];
    }
    if ($place[0] !== '') {
        $frames[] = ['{main}', $place[0], $place[1]];
    }
    return $frames;
}

function write(array $frames): void
{
    global $probe_log;
    fwrite($probe_log, json_encode($frames, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE) . "\n");
}

function mark(...$ignored): int
{
    $frames = [['posix_getppid', '', 0], ['Probe\mark', __FILE__, __LINE__ + 6]];
    $all = stack(debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS));
    array_push($frames, ...$all);
    unset($all);
    write($frames);
    unset($frames);
    posix_getppid();
    return 0;
}
