# SPDX-License-Identifier: GPL-2.0-only
"""All kinds of calls in Python; a sample is taken in each."""
import asyncio
import contextlib
import ctypes
import functools
import gc
import json
import os
import re
import signal
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import probe
from probe import mark

probe.begin()


def recursion(n):
    if n:
        return recursion(n - 1)
    return mark()


def callbacks():
    sorted([3, 1, 2], key=mark)
    list(map(lambda x: mark(x), [1, 2]))
    functools.reduce(lambda a, b: mark(),
                     [1, 2, 3])
    re.sub('a', lambda m: str(mark()), 'banana')
    json.loads('{"a": {"b": 1}}', object_hook=mark)
    max([1, 2], key=lambda x: (
        mark()
    ))


COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))


def through_c(depth):
    libc = ctypes.CDLL(None)
    array = (ctypes.c_int * 2)(2, 1)

    def compare(a, b):
        if depth:
            through_c(depth - 1)
        mark()
        return a[0] - b[0]

    libc.qsort(array, 2, ctypes.sizeof(ctypes.c_int), COMPARE(compare))


def inner(n):
    for i in range(n):
        mark()
        yield i


def outer(n):
    mark()
    yield from inner(n)
    mark()


def generators():
    for _ in outer(3):
        mark()
    list(mark() for _ in range(2))
    [mark() for _ in range(2)]
    {mark(): mark() for _ in range(2)}
    unfinished = outer(2)
    next(unfinished)
    sum(x + mark() for x in inner(2))


@contextlib.contextmanager
def manager():
    mark()
    try:
        yield
    finally:
        mark()


def exceptions():
    try:
        try:
            mark()
            raise ValueError
        except ValueError:
            mark()
            raise KeyError
        finally:
            mark()
    except KeyError:
        mark()
    with contextlib.suppress(ZeroDivisionError), manager():
        mark()
        1 / 0


class Meta(type):
    def __new__(mcs, name, bases, space):
        mark()
        return super().__new__(mcs, name, bases, space)


class Things(metaclass=Meta):
    mark()

    def __init__(self):
        mark()

    def __getattr__(self, name):
        mark()
        return name

    def __eq__(self, other):
        return mark() == 0

    __hash__ = None

    def __len__(self):
        mark()
        return 1

    def __del__(self):
        mark()

    def __enter__(self):
        mark()

    def __exit__(self, *why):
        mark()

    @property
    def prop(self):
        return mark()

    @classmethod
    def of_class(cls):
        class Nested:
            def method(self):
                return [lambda: mark()][0]()
        return Nested().method()

    @staticmethod
    def of_none():
        return mark()


def objects():
    things = Things()
    things.missing
    things.prop
    things == things
    if things:
        pass
    [things].index(Things())
    with things:
        Things.of_class()
    things.of_none()
    ref = weakref.ref(things, mark)
    del things
    gc.collect()
    return ref


def decorated(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper


@decorated
@functools.lru_cache(None)
def cached(n):
    return mark() if n == 0 else cached(n - 1)


def größe_名前():
    mark()


# code that is freed at once is tested by programs/again.py
KEPT = [compile('def f(n):\n'
                '    return f(n - 1) if n else mark()\n'
                '\n' * 3 + 'f(2)\n', '<made>', 'exec'),
        compile('mark() + \\\n mark()', '<sum>', 'eval')]


def made():
    exec(KEPT[0], {'mark': mark})
    eval(KEPT[1])


async def wait(n):
    await asyncio.sleep(0)
    mark()
    if n:
        await wait(n - 1)


async def ticks():
    for i in range(2):
        mark()
        yield i


async def gathered():
    await asyncio.gather(wait(2), wait(1))
    async for _ in ticks():
        mark()


def on_signal(number, frame):
    mark()


def signals():
    signal.signal(signal.SIGUSR1, on_signal)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)


def many_arguments(a, b, c, d=4, *args, e=5, **kwargs):
    mark()


def calls():
    many_arguments(1, 2, 3, 4, 5, 6, x=1, y=2)
    many_arguments(*[1, 2, 3], **{'z': 1})
    functools.partial(many_arguments, 1)(2, 3)
    (lambda: (lambda: mark())())()
    long = 'x' * 0 + str(mark()) + \
        str(mark())
    return [
        long,
        mark(),
        recursion(1),
        {
            'a': mark(),
        },
    ]


def threads():
    started = [threading.Thread(target=recursion, args=(i,)) for i in range(4)]
    for t in started:
        t.start()
    for t in started:
        t.join()
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(recursion, range(6)))


def once():
    recursion(0)
    recursion(7)
    recursion(100)
    recursion(470)
    callbacks()
    through_c(0)
    through_c(3)
    generators()
    exceptions()
    objects()
    cached(4)
    cached.__wrapped__.cache_clear()
    größe_名前()
    made()
    asyncio.run(gathered())
    signals()
    calls()
    threads()


def main():
    for _ in range(int(sys.argv[1])):
        once()


main()
