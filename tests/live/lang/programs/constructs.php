<?php
// SPDX-License-Identifier: GPL-2.0-only
/* All kinds of calls in PHP: callbacks through C, methods, closures, generators, exceptions, fibers,
 * included code. A sample is taken in each. */
namespace Constructs;

require __DIR__ . '/probe.php';

use function Probe\mark;

function recursion(int $n): int
{
    return $n ? recursion($n - 1)
              : mark();
}

function compare($a, $b): int
{
    mark();
    return $a <=> $b;
}

function callbacks(): void
{
    $a = [3, 1, 2];
    usort($a, 'Constructs\compare');
    usort($a, fn($x, $y) => compare($x, $y));
    array_map(function ($x) {
        return mark();
    }, [1, 2]);
    array_map('Probe\mark', [1]);
    array_walk($a, function (&$x) {
        recursion(2);
    });
    preg_replace_callback('/a/', function ($m) {
        mark();
        return 'b';
    }, 'a cat');
    call_user_func('call_user_func', 'Probe\mark');
    array_filter([1], 'Probe\mark');
    iterator_apply($i = new \ArrayIterator([1, 2]), fn() => mark() === 0);
}

abstract class Base
{
    protected $n = 1;

    public function run(int $n): int
    {
        return $n ? $this->run($n - 1) : $this->last();
    }

    abstract protected function last(): int;

    public static function make(): static
    {
        mark();
        return new static();
    }
}

trait Traits
{
    public function fromTrait()
    {
        return mark();
    }
}

class Thing extends Base implements \ArrayAccess, \Countable, \IteratorAggregate
{
    use Traits;

    public function __construct()
    {
        mark();
    }

    public function __destruct()
    {
        mark();
    }

    protected function last(): int
    {
        $f = function () {
            return mark();
        };
        $f();
        $g = fn() => mark();
        $g();
        static fn() => mark();
        return mark();
    }

    public function __get($name)
    {
        return mark();
    }

    public function __call($name, $arguments)
    {
        return mark();
    }

    public static function __callStatic($name, $arguments)
    {
        return mark();
    }

    public function __toString(): string
    {
        mark();
        return 'thing';
    }

    public function __invoke()
    {
        return mark();
    }

    public function offsetExists(mixed $offset): bool
    {
        return !mark();
    }

    public function offsetGet(mixed $offset): mixed
    {
        return mark();
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        mark();
    }

    public function offsetUnset(mixed $offset): void
    {
        mark();
    }

    public function count(): int
    {
        return mark();
    }

    public function getIterator(): \Iterator
    {
        mark();
        yield 1;
        mark();
        yield 2;
    }
}

function methods(): void
{
    $t = Thing::make();
    $t->run(4);
    $t->fromTrait();
    $t->nothing;
    $t->called(1);
    Thing::statically();
    $s = "a $t";
    $t();
    array_map($t, [1]);
    array_map([$t, 'fromTrait'], [1]);
    array_map($t->run(...), [2]);
    isset($t['a']);
    $t['a'];
    $t['a'] = 1;
    unset($t['a']);
    count($t);
    foreach ($t as $x) {
        mark();
    }
    $other = new class {
        public function go()
        {
            return mark();
        }
    };
    $other->go();
    $reflected = new \ReflectionMethod($t, 'fromTrait');
    $reflected->invoke($t);
    unset($t);
}

function numbers(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        mark();
        yield $i;
    }
    return 7;
}

function inner()
{
    mark();
    yield 1;
    recursion(1);
    yield 2;
}

function middle()
{
    yield 0;
    yield from inner();
    mark();
}

function outer()
{
    yield from middle();
    yield from numbers(2);
}

function generators(): void
{
    foreach (numbers(3) as $n) {
        mark();
    }
    $g = outer();
    while ($g->valid()) {
        $g->next();
    }
    foreach (outer() as $n) {
        mark();
    }
    $sent = (function () {
        while (true) {
            $x = yield;
            if ($x === null) {
                return;
            }
            mark();
        }
    })();
    $sent->current();
    $sent->send(1);
    $sent->send(2);
    array_sum(iterator_to_array(numbers(2)));
}

function throwing(int $n)
{
    if ($n) {
        try {
            throwing($n - 1);
        } finally {
            mark();
        }
    }
    throw new \RuntimeException('thrown');
}

function exceptions(): void
{
    try {
        throwing(3);
    } catch (\RuntimeException $e) {
        mark();
    }
    set_error_handler(function () {
        mark();
        return true;
    });
    $x = $undefined;
    trigger_error('told');
    restore_error_handler();
}

function autoload(): void
{
    static $nr = 0;
    $load = function ($name) {
        mark();
        eval('namespace Constructs; class ' . substr($name, 11) . ' { function f() { \Probe\mark(); } }');
    };
    spl_autoload_register($load);
    $name = 'Constructs\Loaded' . $nr++;
    (new $name())->f();
    spl_autoload_unregister($load);
}

function including(): void
{
    include __DIR__ . '/included.php';
    require __DIR__ . '/included.php';
}

function main(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        recursion(0);
        recursion(15);
        callbacks();
        methods();
        generators();
        exceptions();
        autoload();
        including();
    }
}

\Probe\begin();
main((int)$argv[1]);
mark();
// names are read while the process is still running
\Probe\warm();
