# SPDX-License-Identifier: GPL-2.0-only
"""Functions that are created and freed, so that their addresses are reused again and again."""
import gc
import importlib
import os
import sys
import tempfile

import probe

source = '''
class {name}:
    def run(self, n):
        return self.run(n - 1) if n else mark()

    def other{number}(self):
        return [self.run(i) for i in range(2)]


def call():
    return {name}().other{number}()
'''


def made(n):
    for i in range(n):
        space = {'mark': probe.mark}
        exec(compile(source.format(name='C%d' % i, number=i % 7), '<made>', 'exec'), space)
        space['call']()
        del space
        if i % 5 == 0:
            gc.collect()


def lambdas(n):
    for i in range(n):
        eval('\n' * (i % 9) + '(lambda: mark())()', {'mark': probe.mark})


def reloaded(n):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'changing.py')
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        for i in range(n):
            with open(path, 'w') as f:
                f.write('import probe\n' + '\n' * i + 'def f%d():\n    return probe.mark()\n\n'
                        'probe.mark()\nrun = f%d\n' % (i, i))
            importlib.invalidate_caches()
            sys.modules.pop('changing', None)
            importlib.import_module('changing').run()


probe.begin()
made(int(sys.argv[1]))
lambdas(int(sys.argv[1]))
reloaded(40)
