// SPDX-License-Identifier: Apache-2.0
// ta 0x6e and ta 0x6f: getcontext and setcontext done by the kernel (arch/sparc/kernel/signal_64.c;
// asm/uctx.h).
#pragma once

namespace psim::isa {

class Process;

/// Writes the ucontext at %o0: registers and mask. The floating-point part is marked unused, as Linux does. A
/// bad address is a segmentation fault.
void get_context(Process& process);
/// Continues from the ucontext at %o0; its signal mask is applied if %o1 is not 0.
void set_context(Process& process);

}  // namespace psim::isa
