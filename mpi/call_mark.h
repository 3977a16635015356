// SPDX-License-Identifier: Apache-2.0
// Marks of MPI calls in the instructions of a sparc64 program: psim cosim --energy attributes energy to
// calls. A mark is a sethi to %g0 with the function's name in %o0 (isa/state/region_marker.h); it does
// nothing.
#pragma once

namespace psim::net::mpi {

#ifdef __sparc__
inline void mark_call_begin(const char* function) {
  register const char* name asm("o0") = function;
  asm volatile("sethi 0x3051E1, %%g0" : : "r"(name));
}
inline void mark_call_end(const char* function) {
  register const char* name asm("o0") = function;
  asm volatile("sethi 0x3051E2, %%g0" : : "r"(name));
}
#else
inline void mark_call_begin(const char*) {}
inline void mark_call_end(const char*) {}
#endif

}  // namespace psim::net::mpi
