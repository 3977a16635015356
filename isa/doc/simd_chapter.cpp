// SPDX-License-Identifier: Apache-2.0
#include "isa/doc/simd_chapter.h"

namespace psim::isa {

std::string_view simd_chapter() {
  return R"(
## The SIMD extension

The processor of paper 003 (3.3, table 1) in addition to its scalar part: 2 to 32 SIMD-PEs (16) in even–odd pairs. Each PE has
registers of its own, the SFPR: 32 double registers named as the scalar ones; condition codes `%fcc0`–`%fcc3` of its
own; and a local memory of its own, the SBM (64 KB). The paper does not give encodings and details; those here are
psim's, in code space that no SPARC processor known to GNU binutils uses, nor Fujitsu's HPC-ACE (see
[decision 0013](decisions/0013-simd-extension.md)). Programs in C and Fortran use
[psim_simd.h](../workloads/include/psim_simd.h) and [psim_simd.f90](../workloads/include/psim_simd.f90); the assembler
is `psim asm`. The number of PEs is `simd.pes` of the machine (`simd16`, `simd32`; `sparc64v` has none, and every
instruction of the extension is illegal there).

### State

| register | bits | meaning |
|---|---|---|
| `%simd` (asr 8) | 0 | **the state bit**: 1 SIMD state, 0 scalar state; cleared when a program starts |
| | 13–8 | number of PEs; writes do not change it |
| | 31–16 | size of an SBM in units of 64 bytes; writes do not change it |
| `%pemask` (asr 9) | 31–0 | bit n enables PE n; all are enabled when a program starts |
| `%simdstack` (asr 10) | 47–0 | address of the stack window, a multiple of 64 |
| | 63–48 | its size in units of 64 bytes, at most an SBM; 0: no stack window |

A write of `%simd` takes effect from the next instruction executed on; its reads and writes are serial. `simd_on` and
`simd_off` are `wr %g0, 1, %simd` and `wr %g0, 0, %simd`. Integer registers, `%icc`, `%xcc`, `%gsr`, `%y`, the
rounding mode and the trap enables of `%fsr` belong to the scalar part and are the same in both states.

### What the other instructions do in SIMD state

- **Every operation on floating-point registers is done by every enabled PE**, on its own SFPR: arithmetic, multiply-add,
  conversions, moves, VIS. It rounds as in scalar state. A PE that is not enabled changes nothing. Scalar floating-point
  registers and `%fcc`s do not change.
- Compares write each PE's own fcc; `fmov` on an fcc selects in each PE by its own. `fmov` on `%icc`, `%xcc` or an
  integer register does the same in all.
- **A branch on an fcc, an integer move on an fcc and a store of `%fsr`** need all enabled PEs to have the same value.
  Otherwise they raise *PE divergence*. With `simd.divergence = pe0` the value of the lowest enabled PE counts for all. Programs whose
  other PEs take another branch then compute wrong data, without a message. "Always" and "never" need none.
  A load of `%fsr` writes the fccs of every enabled PE.
- **An integer register has one value for all PEs.** An operation that writes one (`movdtox`, `movstosw`, `fpcmple16`, …)
  and an integer load from a window have the same rule. If a compiler takes a value that differs between PEs through an
  integer register, the program ends in *PE divergence*; no PE's value is used for all. With no PE enabled it is PE 0's. From integer
  registers (`movxtod`, `movwtos`) all enabled PEs get the value. `fgetd` reads the value of one PE, and ASI 0xb8 its
  SBM.
- Accrued exceptions of `%fsr` are those of all enabled PEs together. `cexc` does not change, unless a PE raises an
  exception that `%fsr.tem` enables: then no PE does the operation, and `cexc` is that of the lowest PE that trapped.
- **`fdiv` and `fsqrt`** of any precision: exception; PEs have no divider. [psim_simd_math.h](../workloads/include/psim_simd_math.h)
  has functions for them.

Memory in SIMD state:

| address | load of an SFPR | store of an SFPR | integer load | integer store |
|---|---|---|---|---|
| data window: `simd.data_window` (0xF0000000) + offset | each PE its SBM at offset | each PE its SBM | SBM of the enabled PEs, if alike | SBM of every enabled PE |
| stack window: address in `%simdstack` + n | each PE its SBM at (SBM size − window size) + n | each PE | SBM of the enabled PEs, if alike | SBM of every enabled PE |
| elsewhere | memory, read once and **broadcast** | exception | memory | memory |

In a window the primary and secondary spaces, no-fault, block-init and block accesses (64 bytes, by the rule for SFPRs)
of `lda`, `ldda`, `stda` … are like plain ones; little-endian, partial and short ones and atomics are exceptions. Words of SBM are
big-endian in doublewords, as memory. Register windows are spilled to memory and filled from it, whatever the windows;
system calls and the kernel see memory. Loader, `brk` and `mmap` keep 2 MiB from 0xF0000000 free.

**ASI 0xb8, `#ASI_SBM`**, in either state: address bits 63–20 are the PE, bits 19–0 the offset in its SBM. Integer and
scalar floating-point registers, 1 to 16 bytes; a load of an SFPR in SIMD state broadcasts. It does not look at `%pemask`.

Signals: a handler begins in scalar state with every PE enabled and no stack window, and may use the PEs. Its return restores
state bit, SFPRs, fccs, mask and stack window with the bytes of SBM that back it. The frame holds them after the part that Linux
defines, if bit 63 of the saved `%tstate` is set: 4 KB on 16 PEs, and 128 KiB more if the stack window of `psim_simd_call` is set.
It holds nothing of them before the program has used the PEs. If an alternate signal stack has no room for them, the program
ends by SIGSEGV. The rest of SBM and outstanding transfers are memory: changes by a handler stay.

### Moves and sums

In either state; `f…` operands that are SFPRs are written like scalar ones.

| instruction | meaning |
|---|---|
| `fbcastd frs2, frd` (`fbcasts`) | every enabled PE: SFPR frd = scalar frs2 |
| `fputd rs1, frs2, frd` (`fputs`) | PE r[rs1]: SFPR frd = scalar frs2, enabled or not |
| `fgetd rs1, frs2, frd` (`fgets`) | scalar frd = SFPR frs2 of PE r[rs1] |
| `fpeid frd` | every enabled PE: SFPR frd = its number, a 64-bit integer (`fxtod` makes a number of it) |
| `fsumd frs2, frd` (`fsums`) | scalar frd = sum of SFPR frs2 over the enabled PEs |
| `fsumbd frs2, frd` (`fsumbs`) | the sum to SFPR frd of every enabled PE |

Sums add neighbours first (0 + 1, 2 + 3, …), then neighbouring pairs, and so on; a PE that is not enabled is left
out, and the sum of none is +0. Each addition rounds. A number of a PE that does not exist is an exception.

### Cross operations

Only in SIMD state. They equal the scalar operation of their name, but rs2 is, in some or all PEs, that of the
partner (PE n xor 1), whether the partner is enabled or not:

| name | rs2 of the even PE | rs2 of the odd PE |
|---|---|---|
| `fx…` (the paper's) | its own | the partner's |
| `fxe…` | the partner's | its own |
| `fxb…` | the partner's | the partner's |
| `fxc…` | the partner's, negated | the partner's |
| `fxj…` | the partner's | the partner's, negated |

`mov`, `add`, `sub`, `mul`, `madd`, `msub`, `nmsub`, `nmadd` in single and double for the first three; `add` and `madd`
for the last two. `fx[eb]m…` multiply-adds are coded as the scalar ones with major opcodes of their own: bits 8–7 give the operation,
bits 6–5 size and direction.

A complex number with its real part in the even PE and its imaginary part in the odd PE: `fxc` adds i times it, `fxj`
−i times. z += x · y is

    fxmovd  %f0, %f4              ! real part of x to both PEs
    fxemovd %f0, %f6              ! imaginary part to both
    fmaddd  %f4, %f2, %f8, %f8    ! z += re(x) y
    fxcmaddd %f6, %f2, %f8, %f8   ! z += i im(x) y

Where x is used again, or is a broadcast load (`re(x)` and `im(x)` of memory, as in matrix products), two instructions per
product are left: the PEs lose nothing by complex arithmetic. With `fxjmaddd` it is the product by the conjugate of x.

### Block transfers

`sbmget [address]` and `sbmput [address]` move blocks between memory and SBMs while the program runs; 16 are outstanding, and a
17th waits. `sbmsync rs2` or `sbmsync simm13` waits for all transfers whose tag is in the mask of its low 16 bits.
Valid in either state. The descriptor, 48 bytes in memory at a multiple of 8:

| offset | field | meaning |
|---|---|---|
| 0 | `memory` | address of the first byte of PE 0, 64 bits |
| 8 | `pe_stride` | bytes in memory from one PE's data to the next's, signed, 64 bits; 0: all PEs the same |
| 16 | `row_stride` | bytes in memory from row to row, signed, 64 bits |
| 24 | `sbm_offset` | first byte in every SBM; this and what follows 32 bits |
| 28 | `sbm_pitch` | bytes in SBM from row to row |
| 32 | `row_bytes` | bytes of a row |
| 36 | `rows` | number of rows |
| 40 | `pe_mask` | PEs that take part; PE n uses `memory` + n · `pe_stride` |
| 44 | `tag` | 0–15 |

All but `rows`, `pe_mask` and `tag` are multiples of 8. Memory, PE by PE and row by row, must be accessible when the instruction executes: a fault is that
of an ordinary load or store. `%pemask` is not looked at. Puts whose data overlap in memory write in ascending order of
PEs and rows. Between a transfer and its `sbmsync` a program must not access the SBM range of a get, in any PE, and must not write
that of a put. A program that does so is wrong on a machine where data take time, and ends in *transfer race*; with
`simd.transfer_race = ignore` it sees the transfer done. Memory is not watched: a program must not change what an
outstanding put or get uses. The last 64 transfers that were not waited for are watched.

### Exceptions

All are precise: the instruction has no effect, and PC is its address. The program gets the signal, and psim prints the PC,
the instruction, the source line and the remedy. If the program has a handler, as every program with gfortran's library has, the line is
printed once for each instruction and kind. Without a handler, the program ends by the signal.

| exception | signal | when |
|---|---|---|
| illegal instruction | SIGILL | an instruction of the extension on a core without PEs |
| PE divide | SIGILL | `fdiv`, `fsqrt` in SIMD state |
| PE divergence | SIGILL | the enabled PEs disagree about an fcc or a value for an integer register; the PEs are named |
| PE state | SIGILL | a cross operation in scalar state |
| PE operand | SIGILL | a PE that does not exist; a wrong value for `%simdstack` |
| PE store | SIGSEGV | a store of an SFPR outside the windows: to memory, or below the stack window, which is an overflow |
| PE access | SIGSEGV | beyond the end of SBM or the last PE; an access that windows do not have |
| transfer race | SIGSEGV | SBM that an outstanding transfer moves |
| descriptor | SIGILL | of a block transfer; the field and its value are named |

### C and Fortran

`psim_simd_call(function, arguments…)` calls a function in SIMD state: it copies the scalar argument registers to every
PE, sets a stack window of `PSIM_SIMD_STACK_BYTES` (8192) below the function's frame, sets the state bit, calls, clears it
and returns PE 0's result. Compilers move floating-point code across inline assembly, so that `simd_on` and `simd_off` by
themselves are for the assembler. Functions that it enters, and functions that these call, are compiled by the stock gcc or
gfortran with `-O3 -mcpu=niagara3 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fcx-limited-range`. Without the
last two, loops become calls of `memcpy`, which stores to memory, and complex products have a branch for NaNs, which is divergent. Loops and
branches on integers are the same for all PEs. Selections on data of the PEs are written `psim_select_gt(x, y, a, b)` for
`x > y ? a : b`: gcc makes branches of the latter. Arrays in SBM are reached by pointers from `psim_simd_data(offset)`; transfers are
`psim_simd_get`, `psim_simd_put`, `psim_simd_get_tile`, `psim_simd_put_tile`, `psim_simd_sync`.
)";
}

}  // namespace psim::isa
