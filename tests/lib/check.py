# SPDX-License-Identifier: GPL-2.0-only
"""Results of a test in Python: see tests/lib/README.

    sys.path.insert(0, .../tests/lib)
    from check import Checks
    checks = Checks('gsym-judge')
    checks.check('lookups agree', wrong == 0, '%d do not' % wrong)
    sys.exit(checks.finish())
"""
import shutil


class Checks:
    def __init__(self, name):
        self.name = name
        self.passed = self.failed = self.skipped = 0

    def check(self, name, good, why=''):
        """One check, which passes if GOOD is true; otherwise WHY is printed. Returns GOOD."""
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print('FAILED: ' + name + (': ' + why if why else ''), flush=True)
        return good

    def at_least(self, name, found, least):
        """One check: the count FOUND must be at least LEAST."""
        return self.check(name, found >= least, '%s found, at least %s wanted' % (found, least))

    def skip(self, name, reason):
        """A check that this machine cannot run, and the reason."""
        self.skipped += 1
        print('skip: %s: %s' % (name, reason), flush=True)

    def need(self, *tools):
        """A check for each tool: it is installed. scripts/deps.sh installs it."""
        return all([self.check(tool + ' is installed', shutil.which(tool)) for tool in tools])

    def finish(self, least=1):
        """Print the line of results; return the exit status. LEAST is the minimum number of checks that
        were made or skipped."""
        made = self.passed + self.failed + self.skipped
        if made < least:
            self.check('at least %d checks' % least, False, '%d were made' % made)
        print('%s: %d passed, %d failed, %d skipped' %
              (self.name, self.passed, self.failed, self.skipped), flush=True)
        return 1 if self.failed else 0
