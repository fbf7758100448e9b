# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack doctor: checks of this machine, and of machines that are made up from files (--root).
checks 52

D=$T/doctor
mkdir -p "$D"/{proc/self,proc/sys/kernel,sys/kernel/btf,boot,etc}
machine()
{
	echo "$1" >"$D/proc/sys/kernel/osrelease"
	printf 'CapEff:\t%s\nCapBnd:\t000001ffffffffff\nSeccomp:\t0\n' "$2" >"$D/proc/self/status"
	echo "$3" >"$D/proc/sys/kernel/perf_event_paranoid"
	printf 'CONFIG_%s=y\n' PERF_EVENTS MODULES FUNCTION_TRACER DYNAMIC_FTRACE \
		DYNAMIC_FTRACE_WITH_ARGS UPROBES PROC_FS BPF_SYSCALL BPF_EVENTS \
		DEBUG_INFO_BTF SECCOMP_FILTER >"$D/boot/config-$1"
	echo 'ffffffff81000000 T _text' >"$D/proc/kallsyms"
	: >"$D/sys/kernel/btf/vmlinux"
}

machine 6.1.0-9 000001ffffffffff 3
run "$USTACK" doctor --root "$D"
status 0 "doctor --root, root"
no_err "doctor --root"
out '^ok +kernel: 6\.1\.0-9, ' "doctor --root: version"
out '^ok +kernel options: /boot/config-6\.1\.0-9 has all' "doctor --root: options"
out '^warning +module: not loaded' "doctor --root: module"
out '^ +make module KDIR=' "doctor --root: command"
out '^ok +recording: works without the module, with unwind tables' "doctor --root: verdict"

out '^ok +tested kernels: Linux 6\.1 was tested with the module$' "doctor --root: tested"

# a kernel newer than any that was tested: doctor shows the option for modprobe, but not if it is set
machine 99.0.0-1 000001ffffffffff 3
run "$USTACK" doctor --root "$D"
out '^warning +tested kernels: Linux 99\.0 is newer than ' "doctor --root: not tested"
out "^ +echo 'options ustack force=1' >>/etc/modprobe\.d/ustack\.conf$" "doctor --root: force"
mkdir -p "$D/etc/modprobe.d"
echo 'options ustack force=1' >"$D/etc/modprobe.d/ustack.conf"
run "$USTACK" doctor --root "$D"
out '^note +tested kernels: .* force=1 is set in ' "doctor --root: forced"
rm "$D/boot/config-99.0.0-1"

machine 6.1.0-9 000001ffffffffff 3
run "$USTACK" doctor --root "$D" -q
status 0 "doctor -q"
check "doctor -q: warnings and commands alone" bash -c "! grep -E '^(ok|note)' '$T/out'"

machine 6.1.0-9 0000000000000000 3
run "$USTACK" doctor --root "$D" --json
status 1 "doctor --root, nobody"
check "doctor --json: verdict" json 'd[0]["works"] is False'
check "doctor --json: the error has its command" json \
	'[f["command"] for f in d[0]["findings"] if f["level"] == "error"] == ["sysctl kernel.perf_event_paranoid=1"]'

sed -i /PERF_EVENTS/d "$D/boot/config-6.1.0-9"
machine_error() { grep -q '^error .*CONFIG_PERF_EVENTS' "$T/out"; }
run "$USTACK" doctor --root "$D"
status 1 "doctor --root, no events"
check "doctor --root: no events" machine_error

# on this machine: the report agrees with the files of the machine
fake "$USTACK" doctor
check "doctor: a status of 0 or 1" [ "$rc" -le 1 ]
no_err "doctor"
out "^ok +kernel: $(uname -r), " "doctor: version"
out '^ok +module: loaded, version ' "doctor with a module"
out '^warning +hooks: unlink_anon_vmas is not hooked: ' "doctor with a module: hooks"
out '^ok +stacks: 97\.01 % of stacks complete, 1\.00 % guessed, of 101000$' "doctor with a module: stacks"
FAKE_DISABLED=1 fake "$USTACK" doctor
out '^warning +hooks: the module is switched off$' "doctor with a module that is off"
: >"$T/images"
FAKE_DEVICE=absent fake "$USTACK" doctor
out '^warning +module: not loaded' "doctor without a module"

# a process: each file with code is listed once; the state of its table in the module is found by build id
sleep 60 &
sleeper=$!
path=$(realpath "$(command -v sleep)")
while [ "$(realpath "/proc/$sleeper/exe")" != "$path" ]; do sleep 0.1; done
id=$(readelf -n "$path" 2>/dev/null | sed -n 's/.*Build ID: //p')
: >"$T/images"
fake "$USTACK" doctor -p $sleeper
out "^warning +unwinding: $path: the module has no table \(not met yet\); one of its .eh_frame has 9[0-9]\.[0-9]* % of" "doctor -p"
out "^ +ustack prebuild -l $path$" "doctor -p: command"
out '^[a-z]+ +names: .*/libc\.so\.6: ' "doctor -p: libc"
check "doctor -p: once" [ "$(grep -c " unwinding: $path: " "$T/out")" -eq 1 ]
echo "fe01:77 123 users 1 loaded rows 10 lost 0 bytes 99 $id $path" >"$T/images"
fake "$USTACK" doctor -p $sleeper
out "^ok +unwinding: $path: the module has a table$" "doctor -p, known"
echo "fe01:77 123 users 1 NO_SECTION rows 0 lost 0 bytes 0 $id $path" >"$T/images"
fake "$USTACK" doctor -p $sleeper --json
check "doctor -p --json: why not" json \
	'any("(NO_SECTION)" in f["text"] and f["command"] for f in d[0]["findings"])'
run "$USTACK" doctor -p $sleeper
out "^ok +unwinding: $path: a table of its .eh_frame has" "doctor -p without a module"
kill $sleeper
wait $sleeper 2>/dev/null

# code made at run time: whether it can be named while the process runs
python3 -c 'import mmap, time; m = mmap.mmap(-1, 1 << 20, flags=34, prot=7); print(1, flush=True); time.sleep(99)' \
	>"$D/started" &
pid=$!
while [ ! -s "$D/started" ]; do sleep 0.1; done
run "$USTACK" doctor -p $pid
out '^note +names: code made at run time \(1\.0 MiB\) has no names' "doctor -p, a JIT"
out "^ +jcmd $pid Compiler\.perfmap \| node --perf-basic-prof" "doctor -p, a JIT: what names it"
kill $pid
wait $pid 2>/dev/null

# the source of names: a stripped program, one with symbols, one with DWARF; and a program without tables
echo 'int main(void) { for (;;); }' >"$D/spin.c"
gcc -g -O1 -o "$D/dwarf" "$D/spin.c"
gcc -O1 -o "$D/symbols" "$D/spin.c"
gcc -s -O1 -fno-asynchronous-unwind-tables -o "$D/bare" "$D/spin.c"
objcopy --remove-section .eh_frame --remove-section .eh_frame_hdr "$D/bare" 2>/dev/null
for name in dwarf symbols bare; do
	"$D/$name" &
	pid=$!
	while ! grep -q "$D/$name" "/proc/$pid/maps"; do sleep 0.1; done
	run "$USTACK" doctor -p $pid
	case $name in
	dwarf) out "^ok +names: $D/dwarf: of DWARF$" "doctor -p, -g" ;;
	symbols) out "^note +names: $D/symbols: names of its symbol table" "doctor -p, symbols" ;;
	bare) out "^warning +names: $D/bare: " "doctor -p, stripped" ;;
	esac
	kill $pid
	wait $pid 2>/dev/null
done

run "$USTACK" doctor -p 2
status 1 "doctor -p of a kernel thread"
err '^ustack: 2: there is no such process' "doctor -p of a kernel thread"
bad_usage doctor -p 0
bad_usage doctor -p 1 --root /
bad_usage doctor x
