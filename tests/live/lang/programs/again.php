<?php
// SPDX-License-Identifier: GPL-2.0-only
/* Functions that are created and freed, so that their addresses are reused again and again. Some of
 * them live long enough to be read. */
require __DIR__ . '/probe.php';

use function Probe\mark;

function linger(int $i): void
{
    if ($i % 5 === 0) {
        Probe\warm(10);
    }
}

function evaluated(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        eval(str_repeat("\n", $i % 9) . "linger($i); Probe\\mark();");
        eval('$f = function () use ($i) {'
             . str_repeat("\n", $i % 7) . ' linger($i); return Probe\mark(); }; $f();');
        eval("class C$i { function m" . $i % 5 . "() { linger($i); return Probe\\mark(); } }"
             . "(new C$i())->m" . $i % 5 . '();');
    }
}

function included(int $n): void
{
    $path = tempnam(sys_get_temp_dir(), 'again');
    for ($i = 0; $i < $n; $i++) {
        file_put_contents($path, "<?php\n" . str_repeat("\n", $i) . "linger($i);\nProbe\\mark();\n"
                                 . "return fn() => Probe\\mark();\n");
        (include $path)();
    }
    unlink($path);
}

Probe\begin();
evaluated((int)$argv[1]);
included(40);
