#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes an assembler source whose CFI has the same rules as a file's .eh_frame.

Assembled with --gsframe and linked at the same addresses it becomes an .sframe
section for that file, made by GNU's own tools: a reference for tests that shares
no code with ustack. Every FDE is executed here to rows of (CFA, RA, FP), and each row
is stated in full, so that the assemblers' trouble with sequences of directives
(see tests/toolchain/README) has no effect. Functions with rules that SFrame or gas
cannot express are left out, and counted on stderr.

usage: cfi2asm.py --readelf READELF [--sframe N] [--base VADDR] FILE >out.S
The first line of the output is a comment: base address and end of the text.
"""
import argparse
import collections
import re
import subprocess
import sys

X86_64 = {"sp": 7, "fp": 6, "ra": 16, "cfa": ("reg", 7, 8), "ra0": ("off", -8)}
AARCH64 = {"sp": 31, "fp": 29, "ra": 30, "cfa": ("reg", 31, 0), "ra0": ("same",)}
FDE = collections.namedtuple("FDE", "start end rows signal")


class Unrepresentable(Exception):
    pass


def number(text):
    """The register's number in `r7 (rsp)` and `r16 (rip)`."""
    return int(re.match(r"r(\d+)", text)[1])


class State:
    """The current rules, as far as SFrame can express them."""

    def __init__(self, arch):
        self.arch = arch
        self.cfa, self.ra, self.fp = arch["cfa"], arch["ra0"], ("same",)
        self.signed = False

    def copy(self):
        other = State(self.arch)
        other.__dict__.update(self.__dict__)
        return other

    def row(self):
        return (self.cfa, self.ra, self.fp, self.signed)

    def rule(self, reg, rule):
        if reg == self.arch["ra"]:
            self.ra = rule
        elif reg == self.arch["fp"]:
            self.fp = rule
        elif reg == self.arch["sp"] and rule != ("same",):
            raise Unrepresentable("a rule for SP")

    def rule_of(self, reg):
        return self.ra if reg == self.arch["ra"] else self.fp


def expression(text):
    """breg N at offset, maybe loaded from: (N, offset, deref); else refuse."""
    m = re.match(r"DW_OP_breg(\d+) \([^)]*\): (-?\d+)(; DW_OP_deref)?$", text.strip())
    if not m:
        raise Unrepresentable("an expression: " + text.split(":")[0])
    return int(m[1]), int(m[2]), bool(m[3])


# the x86 linker's: CFA = rsp + 8 + ((rip & 15) >= N) * 8
PLT = re.compile(r"DW_OP_breg7 \(rsp\): 8; DW_OP_breg16 \(rip\): 0; DW_OP_lit15; DW_OP_and; "
                 r"DW_OP_lit(\d+); DW_OP_ge; DW_OP_lit3; DW_OP_shl; DW_OP_plus")


class Machine:
    """Runs the operations of one FDE; `rows` maps an address to its rules."""

    def __init__(self, start, end, state):
        self.at, self.end, self.state = start, end, state
        self.initial = state.copy()
        self.saved, self.rows, self.plt = [], {}, None

    def note(self):
        self.rows[self.at] = self.state.row()
        if self.plt:
            self.expand_plt()

    def expand_plt(self):
        """One row more for each stub that pushes its index."""
        for stub in range(self.at, self.end, 16):
            self.rows[stub] = (("reg", 7, 8),) + self.state.row()[1:]
            self.rows[stub + self.plt] = (("reg", 7, 16),) + self.state.row()[1:]

    def step(self, op, arg):
        if op.startswith("DW_CFA_advance_loc") or op == "DW_CFA_set_loc":
            self.note()
            self.plt = None
            self.at = int(re.search(r"to ([0-9a-f]+)", arg)[1], 16)
        elif op == "DW_CFA_remember_state":
            self.saved.append(self.state.copy())
        elif op == "DW_CFA_restore_state":
            self.state = self.saved.pop()
        elif op in ("DW_CFA_nop", "DW_CFA_GNU_args_size"):
            pass        # neither moves CFA, RA or FP
        elif op in ("DW_CFA_AARCH64_negate_ra_state", "DW_CFA_GNU_window_save"):
            self.state.signed = not self.state.signed
        elif op.startswith("DW_CFA_def_cfa"):
            self.def_cfa(op, arg)
        else:
            self.register(op, arg)

    def def_cfa(self, op, arg):
        state = self.state
        if op in ("DW_CFA_def_cfa", "DW_CFA_def_cfa_sf"):
            m = re.match(r"(r\d+).* ofs (-?\d+)", arg)
            state.cfa = ("reg", number(m[1]), int(m[2]))
        elif op == "DW_CFA_def_cfa_expression":
            text = arg.strip("() ") if not arg.startswith("(") else arg[1:-1]
            m = PLT.match(text)
            if m:
                self.plt = int(m[1])
                state.cfa = ("reg", 7, 8)
                return
            reg, offset, deref = expression(text)
            state.cfa = ("deref" if deref else "reg", reg, offset)
        elif state.cfa[0] != "reg":
            raise Unrepresentable("half a CFA over an expression")
        elif op == "DW_CFA_def_cfa_register":
            state.cfa = ("reg", number(arg), state.cfa[2])
        else:
            state.cfa = ("reg", state.cfa[1], int(arg))

    def register(self, op, arg):
        reg = number(arg)
        if reg not in (self.state.arch["ra"], self.state.arch["fp"], self.state.arch["sp"]):
            return      # SFrame cannot express it
        m = re.search(r"at cfa([-+]\d+)", arg)
        if op.startswith("DW_CFA_offset") and m:
            self.state.rule(reg, ("off", int(m[1])))
        elif op.startswith("DW_CFA_restore"):
            self.state.rule(reg, self.initial.rule_of(reg))
        elif op == "DW_CFA_same_value":
            self.state.rule(reg, ("same",))
        elif op == "DW_CFA_undefined":
            if reg == self.state.arch["ra"]:
                self.state.rule(reg, ("undefined",))
        elif op == "DW_CFA_register":
            self.state.rule(reg, ("reg", number(arg.split(" in ")[1])))
        elif op == "DW_CFA_expression":
            base, offset, deref = expression(arg[arg.index("(DW_OP") + 1:-1])
            if deref:
                raise Unrepresentable("an expression that loads twice")
            self.state.rule(reg, ("at", base, offset))
        else:
            raise Unrepresentable(op)


class Reader:
    """readelf's dump, block by block: CIEs for later, FDEs as rows."""

    def __init__(self, arch):
        self.arch = arch
        self.cies, self.fdes = {}, []
        self.left = collections.Counter()

    def read(self, text):
        for section in re.split(r"\n(?=Contents of the )", text):
            if "eh_frame section" in section.split("\n")[0] or ".eh_frame" in section[:80]:
                self.section(section)
        return self

    def section(self, text):
        head, lines = None, []
        for line in text.splitlines() + ["0 0 0 END"]:
            m = re.match(r"([0-9a-f]+) [0-9a-f]+ (?:[0-9a-f]+ (CIE|FDE)(.*)|0 END|ZERO)", line)
            if m or line.endswith("ZERO terminator"):
                if head:
                    self.block(head, lines)
                head, lines = m if m and m[2] else None, []
            elif line.strip():
                lines.append(line.strip())

    def block(self, head, lines):
        ops = [re.match(r"(DW_CFA_\w+)(?:: | )?(.*)", l) for l in lines if l.startswith("DW_CFA")]
        ops = [(m[1], m[2].strip()) for m in ops]
        if head[2] == "CIE":
            self.cies[int(head[1], 16)] = (ops, any("Augmentation:" in l and "S" in l.split('"')[1]
                                                    for l in lines))
            return
        m = re.match(r" cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)", head[3])
        cie_ops, signal = self.cies[int(m[1], 16)]
        start, end = int(m[2], 16), int(m[3], 16)
        try:
            rows = self.run(start, end, cie_ops, ops)
            self.fdes.append(FDE(start, end, rows, signal))
        except Unrepresentable as why:
            self.left[str(why)] += 1

    def run(self, start, end, cie_ops, ops):
        machine = Machine(start, end, State(self.arch))
        for op, arg in cie_ops:
            machine.step(op, arg)
        machine.initial = machine.state.copy()
        for op, arg in ops:
            machine.step(op, arg)
        machine.note()
        return {at: row for at, row in machine.rows.items() if start <= at < end}


class Writer:
    def __init__(self, arch, out):
        self.arch, self.out = arch, out

    def emit(self, *words):
        print("\t" + " ".join(words), file=self.out)

    def cfa(self, rule):
        kind, reg, offset = rule
        if kind == "reg":
            self.emit(".cfi_def_cfa %d, %d" % (reg, offset))
        else:   # the one form that gas reads: breg, one byte of offset, deref
            self.emit(".cfi_escape 0x0f, 3, %#x, %#x, 0x06" % (0x70 + reg, sleb(offset)))

    def register(self, reg, rule, before):
        if rule[0] == "off":
            self.emit(".cfi_offset %d, %d" % (reg, rule[1]))
        elif rule[0] == "undefined":
            self.emit(".cfi_undefined %d" % reg)
        elif rule[0] == "reg":
            self.emit(".cfi_register %d, %d" % (reg, rule[1]))
        elif rule[0] == "at":
            self.emit(".cfi_escape 0x10, %d, 2, %#x, %#x" % (reg, 0x70 + rule[1], sleb(rule[2])))
        elif before is not None:
            self.emit(".cfi_restore %d" % reg)

    def function(self, fde, base):
        """Directives for rows in order; a row states only the rules that change."""
        self.emit(".org", hex(fde.start - base))
        self.emit(".cfi_startproc")
        if fde.signal:
            self.emit(".cfi_signal_frame")
        now = (self.arch["cfa"], self.arch["ra0"], ("same",), False)
        first = True
        for at in sorted(fde.rows):
            row = fde.rows[at]
            if row == now and not first:
                continue
            if not first:
                self.emit(".org", hex(at - base))
            if row[0] != now[0]:
                self.cfa(row[0])
            if row[1] != now[1]:
                self.register(self.arch["ra"], row[1], now[1])
            if row[2] != now[2]:
                self.register(self.arch["fp"], row[2], now[2])
            if row[3] != now[3]:
                self.emit(".cfi_negate_ra_state")
            now, first = row, False
        self.emit(".org", hex(fde.end - base))
        self.emit(".cfi_endproc")


def sleb(value):
    if not -64 <= value < 64:
        raise Unrepresentable("an expression with a far offset")
    return value & 0x7f


def starts_unrestorable(fde):
    """
    .cfi_restore goes back to the function's first row (a bug of gas): right
    only where that row has the rule of an ordinary first row.
    """
    rows = [fde.rows[at] for at in sorted(fde.rows)]
    return any(rows[0][i] != ("same",) and any(row[i] == ("same",) for row in rows[1:])
               for i in (1, 2))


def undefined_and_back(fde):
    """After .cfi_undefined RA, gas ignores later rules of RA (another bug)."""
    rows = [fde.rows[at][1] for at in sorted(fde.rows)]
    return ("undefined",) in rows and rows[-1] != ("undefined",)


def needs_v3(fde, arch):
    """Rules that V1 and V2 cannot express, and that their assemblers may encode wrongly."""
    return any(cfa[0] != "reg" or cfa[1] not in (arch["sp"], arch["fp"]) or
               ra[0] in ("undefined", "reg", "at") or fp[0] in ("reg", "at") or
               (arch is X86_64 and ra != arch["ra0"])
               for cfa, ra, fp, _ in fde.rows.values())


def keep(fdes, left, arch, version):
    """Sorted, and without those that overlap or that gas would get wrong."""
    end, kept = 0, []
    for fde in sorted(fdes, key=lambda f: f.start):
        if fde.start < end or fde.end <= fde.start:
            left["overlapping or empty"] += 1
        elif starts_unrestorable(fde):
            left["restore to what the first row is not"] += 1
        elif version < 3 and needs_v3(fde, arch):
            left["not before V3"] += 1
        elif undefined_and_back(fde):
            left["undefined RA, then not"] += 1
        else:
            try:
                for row in fde.rows.values():
                    for rule in row[:3]:
                        if rule[0] in ("deref", "at"):
                            sleb(rule[2])
                kept.append(fde)
                end = fde.end
            except Unrepresentable as why:
                left[str(why)] += 1
    return kept


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--readelf", required=True)
    ap.add_argument("--sframe", type=int, default=3, help="the version it is for")
    ap.add_argument("--base", type=lambda s: int(s, 0), help="address of the text's start")
    ap.add_argument("file")
    args = ap.parse_args()

    def dump(*options):
        return subprocess.run([args.readelf, *options, args.file], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    arch = AARCH64 if "AArch64" in dump("-h") else X86_64
    reader = Reader(arch).read(dump("-wfN"))
    fdes = keep(reader.fdes, reader.left, arch, args.sframe)
    if not fdes:
        sys.exit("cfi2asm: %s: no FDE that SFrame can tell" % args.file)
    base = args.base if args.base is not None else fdes[0].start
    writer = Writer(arch, sys.stdout)
    print("# base %#x end %#x" % (base, fdes[-1].end))
    print("\t.cfi_sections .eh_frame\n\t.text")
    for fde in fdes:
        writer.function(fde, base)
    print('\t.section .note.GNU-stack, "", %progbits')
    for why, count in sorted(reader.left.items()):
        print("cfi2asm: left out %d: %s" % (count, why), file=sys.stderr)
    print("cfi2asm: %d functions" % len(fdes), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
