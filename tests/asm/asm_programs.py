#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asm_programs.py PSIM: assembles programs and runs them with psim exec, psim run and, where they are installed,
qemu-sparc64 and the cross gcc; compares what they print with what they must."""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
os.chdir(scratch := tempfile.mkdtemp(prefix="psim-asm-"))


def call(*command, status=0):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    if done.returncode != status:
        sys.exit(f"{command}: status {done.returncode}, expected {status}\n{done.stdout!r}\n{done.stderr.decode()}")
    return done


def assemble(text, name, *options):
    pathlib.Path(name + ".s").write_text(text)
    call(psim, "asm", *options, name + ".s", "-o", name)


def everywhere(name, expected, status=0):
    runs = [[psim, "exec"], [psim, "run", "--quiet"]]
    if shutil.which("qemu-sparc64"):
        runs.append(["qemu-sparc64"])
    for run in runs:
        if (got := call(*run, "./" + name, status=status).stdout) != expected:
            words = range(0, max(len(got), len(expected)), 8)
            wrong = [(at, got[at:at + 8], expected[at:at + 8]) for at in words if got[at:at + 8] != expected[at:at + 8]]
            sys.exit(f"{name} with {run}: (offset, got, expected) {wrong}")


# Constants of every length, printed as they lie in memory.
numbers = [0, 1, -1, 4095, 4096, -4096, -4097, 0x3FF, 0x400, 0x12345678, 0x7FFFFFFF, -0x80000000, 0xFFFFFFFF, 1 << 32,
           -(1 << 32), 0x123456789ABCDEF0, -0x123456789ABCDEF0, (1 << 63) - 1, -(1 << 63), 0xFFFFFFFF00000000, 0x12345678 << 32]
text, expected = "        .global _start\n_start: set buffer, %l0\n", b""


def store(instruction, value):
    global text, expected
    text += f"        {instruction}\n        stx %o0, [%l0]\n        add %l0, 8, %l0\n"
    expected += struct.pack(">Q", value & (1 << 64) - 1)


for n in numbers:
    store(f"setx {n}, %o1, %o0", n)
    if -(1 << 31) <= n < 1 << 31:
        store(f"setsw {n}, %o0", n)
    if 0 <= n < 1 << 32:
        store(f"setuw {n}, %o0", n)
        store(f"set {n}, %o0", n)
# Addresses by each way to make one.
for lines in ("set here, %o0", "setx here, %o1, %o0", "setsw here, %o0", "sethi %h44(here), %o0; or %o0, %m44(here), %o0; "
              "sllx %o0, 12, %o0; or %o0, %l44(here), %o0", "set table, %o1; ldx [%o1 + 8], %o0",
              "1: call . + 8; add %o7, here - 1b, %o0"):
    text += f"        {lines}\n        set here, %o1\n        sub %o0, %o1, %o0\n        stx %o0, [%l0]\n        inc 8, %l0\n"
    expected += bytes(8)
text += f"""        mov 1, %o0
        set buffer, %o1
        set {len(expected)}, %o2
        mov 4, %g1
        ta 0x6d
here:   mov 7, %o0
        mov 1, %g1
        ta 0x6d
        .rodata
        .align 8
table:  .xword table, here
        .bss
        .align 8
buffer: .skip {len(expected)}
"""
assemble(text, "constants")
everywhere("constants", expected, status=7)

# SIMD-PEs: transfers, broadcast, a cross operation, a sum across PEs, fewer PEs; no tool but psim.
assemble("""
        .global _start
count = 16
_start: set     source, %l0
        set     descriptor, %l1
        stx     %l0, [%l1]
        sbmget  [%l1]
        rd      %simd, %l2              ! bits 13-8: the number of PEs
        srlx    %l2, 8, %l2
        and     %l2, 63, %l2
        sbmsync 1 << 3
        set     0xf0000000, %l3         ! the data window
        set     factor, %l4
        simd_on
        ldd     [%l3], %f0              ! each PE its own
        ldd     [%l4], %f2              ! read once, for all
        fpeid   %f6
        fxtod   %f6, %f6
        fxmaddd %f2, %f0, %f6, %f8      ! odd PEs multiply what their partner has
        fsumbd  %f8, %f10
        wr      %g0, 0xff, %pemask      ! the first half alone
        faddd   %f8, %f10, %f8
        wr      %g0, -1, %pemask
        std     %f8, [%l3]
        simd_off
        dec     %l2
        fgetd   %l2, %f8, %f12          ! the last PE's
        fdtoi   %f12, %f12
        st      %f12, [%l1 + 24]
        set     result, %l0
        stx     %l0, [%l1]
        ld      [%l1 + 24], %l5
        st      %g0, [%l1 + 24]
        sbmput  [%l1]
        sbmsync 1 << 3
        mov     1, %o0
        mov     %l0, %o1
        mov     8 * count, %o2
        mov     4, %g1
        ta      0x6d
        mov     %l5, %o0
        mov     1, %g1
        ta      0x6d
        .section .rodata
        .align  8
factor: .double 3.0
source: .double 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115
        .data
        .align  8
descriptor:
        .xword  0, 8, 0                 ! memory, bytes from PE to PE, from row to row
        .word   0, 8, 8, 1              ! offset, pitch and bytes of a row, rows
        .word   0xffff, 3               ! PEs, tag
        .bss
        .align  8
result: .skip   8 * count
""", "pes")
lanes = [3.0 * (100 + (pe & ~1)) + pe for pe in range(16)]
whole = sum(lanes)
lanes = [lane + whole if pe < 8 else lane for pe, lane in enumerate(lanes)]
for words in ([psim, "exec", "--machine", "simd16"], [psim, "exec"], [psim, "run", "--quiet", "--machine", "simd16"]):
    got = call(*words, "./pes", status=int(lanes[15]) & 255).stdout
    if got != struct.pack(">16d", *lanes):
        sys.exit(f"pes with {words}: {struct.unpack('>16d', got)}, expected {lanes}")
call(psim, "trace", "record", "--quiet", "-o", "pes.trace", "./pes", status=int(lanes[15]) & 255)
call(psim, "replay", "--quiet", "--machine", "simd16", "pes.trace")

# Names of state registers, written and read.
names = [("simd", 8), ("pemask", 9), ("simdstack", 10), ("ccr", 2), ("asi", 3), ("fprs", 6), ("gsr", 19)]
pathlib.Path("names.s").write_text("".join(
    f" rd %{name}, %g1\n wr %g2, %g3, %{name}\n wr %g2, 5, %{name}\n rd %asr{number}, %g1\n wr %g2, %g3, %asr{number}\n"
    for name, number in names) + " rd %tick, %g1\n rd %pc, %g1\n rd %y, %g1\n wr %g2, 5, %y\n")
call(psim, "asm", "-c", "names.s", "-o", "names.o")
back = [line.split(None, 2)[2] for line in call(psim, "dis", "names.o").stdout.decode().splitlines() if "  " in line[14:]]
expected = []
for name, _ in names:
    expected += [f"rd %{name}, %g1", f"wr %g2, %g3, %{name}", f"wr %g2, 5, %{name}", f"rd %{name}, %g1", f"wr %g2, %g3, %{name}"]
expected += ["rd %tick, %g1", "rd %pc, %g1", "rd %y, %g1", "wr %g2, 5, %y"]
if back != expected:
    sys.exit(f"state registers: {[pair for pair in zip(back, expected) if pair[0] != pair[1]]}, {len(back)} {len(expected)}")

# Calls, windows, branches, floating point: 20! and a square root, in decimal.
assemble("""
        .register %g2, #scratch
        .text
        .global _start
        .type   factorial, #function
factorial:
        save    %sp, -176, %sp
        brnz,pt %i0, 1f
         mov    1, %l0
        ba,a    2f
1:      call    factorial, 0
         sub    %i0, 1, %o0
        mulx    %o0, %i0, %l0
2:      mov     %l0, %i0
        return  %i7 + 8
         nop
        .size   factorial, . - factorial
_start: call    factorial
         mov    20, %o0
        call    decimal
         nop
        set     two, %g1
        ldd     [%g1], %f0
        fsqrtd  %f0, %f0
        ldd     [%g1 + 8], %f2
        fmuld   %f0, %f2, %f0
        fdtox   %f0, %f0
        std     %f0, [%sp + 2047 + 128]
        call    decimal
         ldx    [%sp + 2047 + 128], %o0
        clr     %o0
        mov     1, %g1
        ta      0x6d
decimal:                                ! prints %o0
        set     line_end - 1, %o1
        mov     '\\n, %g2
        stb     %g2, [%o1]
1:      udivx   %o0, 10, %g1
        mulx    %g1, 10, %g2
        sub     %o0, %g2, %g2
        add     %g2, '0', %g2
        dec     %o1
        stb     %g2, [%o1]
        movrnz  %g1, %g1, %o0
        brnz    %g1, 1b
         nop
        set     line_end, %o2
        sub     %o2, %o1, %o2
        mov     1, %o0
        mov     4, %g1
        ta      0x6d
        retl
         nop
        .section .rodata
        .align  8
two:    .double 2.0, 1e9
        .data
line:   .skip   32
line_end:
""", "factorial")
everywhere("factorial", b"2432902008176640000\n1414213562\n")

# A mistake leaves the old file unchanged and no other file.
before = sorted(os.listdir())
pathlib.Path("factorial.s").write_text("_start: add %o1\n")
told = call(psim, "asm", "factorial.s", "-o", "factorial", status=2).stderr.decode()
assert told.startswith("psim: factorial.s:1:9: got add with 1 operand"), told
assert sorted(os.listdir()) == before
everywhere("factorial", b"2432902008176640000\n1414213562\n")

if shutil.which("sparc64-linux-gnu-gcc"):
    # Output of gcc, assembled here, linked there with code and data on both sides.
    pathlib.Path("a.c").write_text("""
#include <stdio.h>
#include <string.h>
extern int there(int, const char *);
static int calls;
int shared;
const char *const names[] = {"zero", "one", "two"};
int choose(int n) {
  switch (n) {
    case 0: return there(5, "x");
    case 1: return calls++;
    case 2: return shared * 3;
    case 3: return -77;
    case 4: return there(n, names[2]);
    case 5: return n << 3;
    case 6: return (int)strlen(names[1]);
  }
  return 0;
}
""")
    pathlib.Path("b.c").write_text("""
#include <stdio.h>
extern int shared, choose(int);
int there(int n, const char *text) { shared += n; return n + text[0]; }
int main(void) { for (int i = 0; i < 9; i++) printf("%d ", choose(i)); puts(""); }
""")
    if shutil.which("sparc64-linux-gnu-g++"):
        # Exceptions through frames of ours and of the library's; catching, cleaning up, going on.
        pathlib.Path("throws.cpp").write_text("""
#include <cstdio>
#include <stdexcept>
#include <string>
struct Gone { int n; ~Gone() { std::printf("gone %d\\n", n); } };
int deep(int n) { Gone gone{n}; if (n == 0) throw std::runtime_error("deep"); return deep(n - 1) + 1; }
int work(int n) { Gone gone{n}; if (n > 1) throw n; return n; }
int main(int argc, char **) {
  for (int i = 0; i < 2; ++i)
    try { std::printf("%d\\n", work(i + argc)); } catch (int n) { std::printf("caught %d\\n", n); }
  try {
    try { deep(2); } catch (const std::exception& e) { std::printf("%s\\n", e.what()); throw; }
  } catch (...) { std::puts("again"); }
  try { return std::string("ab").at(argc + 4); } catch (const std::out_of_range&) { std::puts("range"); }
}
""")
        for flags in (["-O0"], ["-O1", "-g"], ["-O2", "-fno-pie"], ["-O3"]):
            call("sparc64-linux-gnu-g++", *flags, "-S", "throws.cpp", "-o", "throws.s")
            call(psim, "asm", "-c", "throws.s")
            call("sparc64-linux-gnu-g++", "-static", "-no-pie", "throws.o", "-o", "throws")
            everywhere("throws", b"gone 1\n1\ngone 2\ncaught 2\ngone 0\ngone 1\ngone 2\ndeep\nagain\nrange\n")
    for flags in (["-O0"], ["-O2"], ["-O2", "-fno-pie", "-no-pie"], ["-O3", "-mcpu=niagara3"]):
        call("sparc64-linux-gnu-gcc", *flags, "-S", "a.c", "-o", "a.s")
        call(psim, "asm", "-c", "a.s")
        call("sparc64-linux-gnu-gcc", *flags, "-static", "a.o", "b.c", "-o", "linked")
        everywhere("linked", b"125 0 15 -77 120 40 3 0 0 \n")

shutil.rmtree(scratch)
print("all programs agree")
