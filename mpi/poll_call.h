// SPDX-License-Identifier: Apache-2.0
// Definition of MPI functions that poll. As PSIM_MPI, but a few instructions before the function save the
// program's registers, by which Host::poll recognises loops. On cycle-level nodes every call executes, so
// nothing is saved there.
#pragma once

#include "mpi/api.h"
#include "mpi/library.h"
#include "mpi/threads.h"

extern "C" {
/// rbx, rbp, r12 to r15, rsp, then the argument registers of the latest such call.
extern __attribute__((visibility("hidden"))) std::uint64_t psim_poll_registers[13];
}

#ifdef __x86_64__
#define PSIM_MPI_POLL(name, arguments)                                                      \
  extern "C" __attribute__((visibility("hidden"))) int psim_polls_##name arguments;         \
  asm(".pushsection .text\n"                                                                \
      ".p2align 4\n"                                                                        \
      ".globl PMPI_" #name "\n.type PMPI_" #name                                            \
      ",@function\n"                                                                        \
      ".weak MPI_" #name "\n.type MPI_" #name                                               \
      ",@function\n"                                                                        \
      ".weak MGEN_" #name "\n.type MGEN_" #name                                             \
      ",@function\n"                                                                        \
      ".weak LMPI_" #name "\n.type LMPI_" #name                                             \
      ",@function\n"                                                                        \
      "PMPI_" #name ":\n.set MPI_" #name ",PMPI_" #name "\n.set MGEN_" #name ",PMPI_" #name \
      "\n.set LMPI_" #name ",PMPI_" #name                                                   \
      "\n"                                                                                  \
      ".cfi_startproc\n"                                                                    \
      "endbr64\n"                                                                           \
      "leaq psim_poll_registers(%rip),%rax\n"                                               \
      "movq %rbx,(%rax)\nmovq %rbp,8(%rax)\nmovq %r12,16(%rax)\nmovq %r13,24(%rax)\n"       \
      "movq %r14,32(%rax)\nmovq %r15,40(%rax)\nmovq %rsp,48(%rax)\nmovq %rdi,56(%rax)\n"    \
      "movq %rsi,64(%rax)\nmovq %rdx,72(%rax)\nmovq %rcx,80(%rax)\nmovq %r8,88(%rax)\n"     \
      "movq %r9,96(%rax)\n"                                                                 \
      "jmp psim_polls_" #name                                                               \
      "\n"                                                                                  \
      ".cfi_endproc\n"                                                                      \
      ".size PMPI_" #name ",.-PMPI_" #name "\n.popsection\n");                              \
  extern "C" int psim_polls_##name arguments
#else
#define PSIM_MPI_POLL(name, arguments) PSIM_MPI(int, name, arguments)
#endif

namespace psim::net::mpi {

/// Returns the call of the function defined by PSIM_MPI_POLL. To be called before anything else runs.
template <class... Arguments>
PollCall poll_call(int (*function)(Arguments...)) {
  PollCall call;
  call.entry = reinterpret_cast<std::uint64_t>(function);
  std::copy_n(psim_poll_registers, call.saved.size(), call.saved.begin());
  std::copy_n(psim_poll_registers + call.saved.size(), call.arguments.size(), call.arguments.begin());
  call.count = sizeof...(Arguments);
  return call;
}

/// Reports to the host that the call found nothing, and counts the repetitions of the call that passed
/// meanwhile. The call must have written its results.
inline void found_nothing(PollCall call, const int* result, const int* second = nullptr) {
  call.results = {result, second};
  if (const Rank& me = self(); me.threaded) set_thread_timer(me);  // one of them may bring the news
  const std::uint64_t calls = library->host.poll(library->config.poll, call);
  counts_of(self().pending.function).calls += calls - 1;
}

}  // namespace psim::net::mpi
