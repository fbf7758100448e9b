# SPDX-License-Identifier: GPL-2.0-only
"""Ways of making programs with DWARF."""
import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIBDW, LLVM, READELF = 'libdw', 'llvm-dwarfdump', 'readelf'


class Failed(Exception):
    pass


def run(*argv, cwd=None):
    done = subprocess.run(argv, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          timeout=30)
    if done.returncode:
        raise Failed('%s: %s' % (' '.join(argv), done.stderr.decode(errors='replace')[:300]))


class Subject:
    """A program.

    build: returns its path, or a dict with the path and any of: same_as, like: files for
    which our output must be the same, literally or in meaning; flags: arguments of say
    skip: readers that cannot read it; they still read the lines of split units
    """

    def __init__(self, name, build, skip=()):
        self.name, self.build, self.skip = name, build, skip
        self.same_as, self.like, self.flags, self.path = None, None, [], None

    def make(self):
        made = self.build()
        if isinstance(made, dict):
            vars(self).update(made)
        else:
            self.path = made


class Maker:
    """Programs, in folders of their own. DIR/prog is the program."""

    def __init__(self, tmp):
        self.tmp, self.nr = tmp, 0

    def folder(self):
        self.nr += 1
        ret = os.path.join(self.tmp, '%03d' % self.nr)
        os.mkdir(ret)
        for f in glob.glob(HERE + '/subject*'):
            shutil.copy(f, ret)
        return ret

    def compile(self, *args, **kwargs):
        """try_compile(), again if it hangs: llvm-dwp 14 does so with some ids, which depend on the folder"""
        for _ in range(5):
            try:
                return self.try_compile(*args, **kwargs)
            except subprocess.TimeoutExpired as e:
                why = str(e)
        raise Failed(why)

    def try_compile(self, cc, flags, link=(), after=None):
        """Make an object of each source, then a program; @after is called with (folder, program)"""
        d = self.folder()
        objects = []
        for src in ['subject.cc'] if cc.endswith('++') else ['subject.c', 'subject_other.c']:
            objects.append(src.rsplit('.', 1)[0] + '.o')
            run(cc, *flags, '-c', src, '-o', objects[-1], cwd=d)
        run(cc, *(link or flags), *objects, '-o', 'prog', cwd=d)
        path = os.path.join(d, 'prog')
        return after(d, path) or path if after else path

    def rust(self, flags):
        d = self.folder()
        run('/usr/bin/rustc', *flags, 'subject.rs', '-o', 'prog', cwd=d)
        return d + '/prog'


def dwz_single(d, path):
    plain = shutil.copy(path, path + '.plain')
    run('dwz', path)
    return {'path': path, 'like': plain}


def dwz_multiple(*flags):
    def after(d, path):
        plain = shutil.copy(path, path + '.plain')
        shutil.copy(path, path + '2')
        run('dwz', *flags, '-m', 'common', 'prog', 'prog2', cwd=d)
        if not os.path.exists(d + '/common'):
            raise Failed('dwz found nothing that is common')
        return {'path': path, 'like': plain}
    return after


def compressed(kind):
    def after(d, path):
        plain = shutil.copy(path, path + '.plain')
        run('objcopy', '--compress-debug-sections=' + kind, path)
        return {'path': path, 'same_as': plain}
    return after


def moved_dwo(d, path):
    """.dwo files found only by --dwo-dir; libdw would not find them, so compare with our output from before"""
    plain = shutil.copytree(d, d + '.before') + '/prog'
    os.mkdir(d + '/elsewhere')
    for f in glob.glob(d + '/*.dwo'):
        shutil.move(f, d + '/elsewhere')
    return {'path': path, 'flags': ['-d', d + '/elsewhere'], 'same_as': plain}


def packed(tool):
    """Units read only from the package: compare with our output for the .dwo files"""
    def after(d, path):
        plain = shutil.copytree(d, d + '.before') + '/prog'
        run(tool, '-e', 'prog', '-o', 'prog.dwp', cwd=d)
        for f in glob.glob(d + '/*.dwo'):
            os.unlink(f)
        return {'path': path, 'same_as': plain}
    return after


# variants besides version and level: (name, compilers, flags, more)
C, CXX = ('gcc', 'clang'), ('g++', 'clang++')
RELOCATABLE = ['-r', '-nostdlib']
WAYS = [
    ('sections', C + CXX, '-ffunction-sections -fdata-sections',
     {'link': ['-g', '-Wl,--gc-sections']}),
    ('types', C + CXX, '-fdebug-types-section', {}),
    ('LTO', ('gcc', 'g++'), '-flto -ffat-lto-objects', {}),
    ('dwz', C + CXX, '', {'after': dwz_single}),
    # LLVM 14 and readelf do not follow references to dwz's common file; libdw does not with -5
    ('dwz -m', C + CXX, '', {'after': dwz_multiple(), 'skip': (LLVM, READELF)}),
    ('dwz -5 -m', ('gcc', 'g++'), '',
     {'after': dwz_multiple('-5'), 'skip': (LLVM, READELF, LIBDW)}),
    ('zlib', C + CXX, '', {'after': compressed('zlib')}),
    ('zlib-gnu', C + CXX, '', {'after': compressed('zlib-gnu')}),
    # LLVM 14 and elfutils 0.188 do not know it
    ('zstd', C + CXX, '', {'after': compressed('zstd'), 'skip': (LLVM, LIBDW)}),
    ('relocatable', C + CXX, '', {'link': RELOCATABLE}),
    ('relocatable, sections', C + CXX, '-ffunction-sections',
     {'link': RELOCATABLE}),
    ('module', ('gcc',), '-mcmodel=kernel -fno-pic -ffreestanding -mno-red-zone',
     {'link': RELOCATABLE}),
    ('split', C + CXX, '-gsplit-dwarf', {}),
    ('split, elsewhere', C + CXX, '-gsplit-dwarf',
     {'after': moved_dwo, 'skip': (LIBDW,)}),
    # elfutils 0.188 does not read packages
    ('split, dwp', C + CXX, '-gsplit-dwarf', {'after': packed('dwp'), 'skip': (LIBDW,)}),
    ('split, llvm-dwp', C + CXX, '-gsplit-dwarf',
     {'after': packed('llvm-dwp-14'), 'skip': (LIBDW,)}),
]
CLANG = ('clang', 'clang++')
QUICK = {('gcc', 5), ('clang', 4)}
ALSO_QUICK = {('gcc', 4, 'split, dwp')}


def subjects(tmp, full):
    """@full: return all ways, not only the quick part"""
    m = Maker(tmp)
    ret = []

    def add(name, cc, flags, quick=False, skip=(), **kwargs):
        if full or quick:
            ret.append(Subject('%s %s%s' % (cc, flags, name and ', ' + name),
                               lambda: m.compile(cc, flags.split(), **kwargs), skip))

    for cc in C + CXX:
        for v in 2, 3, 4, 5:
            for level in '-O0', '-O2', '-O3':
                add('', cc, '-g -gdwarf-%d %s' % (v, level),
                    quick=(level == '-O2' and cc in C) or (cc, v, level) == ('g++', 5, '-O0'))
    add('', 'gcc', '-g -gdwarf-2 -gstrict-dwarf -O2', quick=True)
    for name, compilers, more, kwargs in WAYS:
        for cc in compilers:
            # dwz 0.15 does not support .debug_addr, and GNU's dwp does not support version 5
            for v in [4] if ('dwz' in name and cc in CLANG) or ', dwp' in name else [4, 5]:
                add(name, cc, ('-g -gdwarf-%d -O2 %s' % (v, more)).strip(),
                    quick=((cc, v) in QUICK and cc in C) or (cc, v, name) in ALSO_QUICK, **kwargs)
    for cc, v in ('gcc', 3), ('gcc', 5), ('clang', 5), ('g++', 5):
        add('64 bits', cc, '-g -gdwarf-%d -gdwarf64 -O2' % v, quick=v == 5 and cc in C)
    add('LTO', 'clang', '-g -gdwarf-5 -O2 -flto', link=['-g', '-flto', '-fuse-ld=lld'])
    add('ThinLTO', 'clang++', '-g -gdwarf-5 -O2 -flto=thin',
        link=['-g', '-flto=thin', '-fuse-ld=lld'])
    for cc in 'aarch64-linux-gnu-gcc', 'aarch64-linux-gnu-g++':
        for v in 4, 5:
            add('', cc, '-g -gdwarf-%d -O2' % v)
    for level in '-O', '-C opt-level=0':
        if full:
            ret.append(Subject('rustc -g ' + level, lambda level=level: m.rust(['-g', *level.split()])))
    return ret
