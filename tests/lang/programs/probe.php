<?php
// SPDX-License-Identifier: GPL-2.0-only
/* A program's own idea of its stack. mark() writes down what debug_backtrace() has, innermost frame
 * first, and makes the system call that is sampled; so each sample has a stack that is known, line
 * by line. */
namespace Probe;

/* Each process has a log of its own. */
function begin(string $name = 'log'): void
{
    global $probe_log;
    $probe_log = fopen(getenv('PROBE_LOG') . ".$name." . getmypid(), 'w');
    stream_set_write_buffer($probe_log, 0);
    warm();
}

/* Samples of a process that is not known yet have no frames of a language. */
function warm(int $ms = 500): void
{
    for ($end = hrtime(true) + $ms * 1000000; hrtime(true) < $end;) {
        posix_getppid();
    }
}

/* A frame as the profile has it: of a trace's entry, which has where it was called, and the place
 * where it is itself, which the entry before has. */
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

/* @place is where the caller of this function is, if that is not where it calls it. */
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
