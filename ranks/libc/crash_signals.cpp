// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/crash_signals.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace psim::net::crash_signals {

namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t kStack = 256 * 1024;  // unwinding reads tables and takes some KiB

struct Saved {
  std::array<struct sigaction, kSignals.size()> actions;
  stack_t stack;
  void* own_stack;
};

std::vector<void*> owners;
Handler owners_handler;
Saved saved;
struct sigaction before_raise;
int raised;                                // by raise_as_fault()
sigjmp_buf* volatile attempted = nullptr;  // where the innermost attempt() continues after a fault

struct Walk {
  std::array<void*, 32>* frames;
  void* first;
  std::uint32_t count;
  bool inside;  // past the handler's own frames
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  void* pc = reinterpret_cast<void*>(_Unwind_GetIP(context));
  if (pc == walk.first) {
    walk.inside = true;
    return _URC_NO_REASON;
  }
  if (!walk.inside) return _URC_NO_REASON;
  if (walk.count == walk.frames->size()) return _URC_END_OF_STACK;
  // A return address names the instruction after the call.
  (*walk.frames)[walk.count++] = static_cast<std::byte*>(pc) - 1;
  return _URC_NO_REASON;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (attempted != nullptr) siglongjmp(*attempted, 1);
  owners_handler(signal, info, context);
}

// The handler of the rank's owner need not return.
void on_raised(int signal, siginfo_t* info, void* context) {
  ::sigaction(signal, &before_raise, nullptr);
  on_signal(raised, info, context);
}

}  // namespace

void install(void* owner, Handler handler) {
  owners.push_back(owner);
  if (owners.size() > 1) return;
  saved.own_stack =
      ::mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  stack_t stack{};
  stack.ss_sp = saved.own_stack;
  stack.ss_size = kStack;
  ::sigaltstack(&stack, &saved.stack);
  struct sigaction action {};
  owners_handler = handler;
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &saved.actions[i]);
}

bool attempt(bool (*reads)(void*), void* argument) {
  sigjmp_buf here;
  sigjmp_buf* const outer = attempted;  // an attempt may be interrupted by a handler that makes another one
  bool result = false;
  // The handler blocks no signals, so there is no mask to save, which would be a system call.
  if (sigsetjmp(here, 0) == 0) {
    attempted = &here;
    result = reads(argument);
  }
  attempted = outer;
  return result;
}

bool is_fault(int signal) { return signal == 0 || std::ranges::find(kSignals, signal) != kSignals.end(); }

void remove(void* owner) {
  std::erase(owners, owner);
  if (!owners.empty()) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &saved.actions[i], nullptr);
  saved.stack.ss_flags &= SS_DISABLE;
  ::sigaltstack(&saved.stack, nullptr);
  ::munmap(saved.own_stack, kStack);
}

void raise_as_fault(int signal) {
  struct sigaction action {};
  action.sa_sigaction = on_raised;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  raised = signal;
  const int caught = signal == SIGKILL ? SIGABRT : signal;  // SIGKILL has no handlers
  ::sigaction(caught, &action, &before_raise);
  ::raise(caught);
  ::sigaction(caught, &before_raise, nullptr);  // the program blocks the signal
}

void report_damage(int signal) {
  char text[160];
  const int size =
      std::snprintf(text, sizeof text,
                    "psim: the rank that crashed has damaged psim's memory (SIG%s followed): the run ends "
                    "without results\n",
                    ::sigabbrev_np(signal));
  ::syscall(SYS_write, 2, text, size);
  ::syscall(SYS_exit_group, 1);
  __builtin_unreachable();
}

void report_missing_buffer(const siginfo_t& info, void* context) {
  const auto* pc =
      reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  Dl_info code{};
  if (::dladdr(pc, &code) == 0 || code.dli_fname == nullptr) return;
  const std::string_view file = code.dli_fname;
  if (file.find("/libc.so") == file.npos && file.find("/libpsim_mpi.so") == file.npos) return;
  // Not through stderr, which belongs to the ranks.
  char text[160];
  const int size = std::snprintf(text, sizeof text,
                                 "psim: no memory at %p: a buffer or window that a rank passed to MPI is "
                                 "not mapped, or no longer\n",
                                 info.si_addr);
  ::syscall(SYS_write, 2, text, size);
  ::syscall(SYS_exit_group, 1);
}

bool while_handling(const void* context) {
  const auto at =
      static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
  const auto bottom = reinterpret_cast<std::uintptr_t>(saved.own_stack);
  return at >= bottom && at - bottom < kStack;
}

void give_up(int signal) {
  ::signal(signal, SIG_DFL);
  if (signal == SIGABRT)
    ::raise(signal);  // the other signals are raised again when the instruction is
                      // retried
}

std::uint32_t unwind(void* context, std::array<void*, 32>& frames) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  frames[0] = reinterpret_cast<void*>(machine.gregs[REG_RIP]);
  static Walk walk;
  walk = Walk{&frames, frames[0], 1, false};
  auto walk_stack = [&] {
    _Unwind_Backtrace(visit, &walk);
    // After a call of no code, the return address is still where the call stored it.
    Dl_info info{};
    if (walk.count == 1 && ::dladdr(frames[0], &info) == 0)
      frames[walk.count++] = *reinterpret_cast<std::byte**>(machine.gregs[REG_RSP]) - 1;
    return true;
  };
  attempt(walk_stack);
  return walk.count;
}

std::uint32_t unwind_here(std::array<void*, 32>& frames) {
  static Walk walk;
  walk = Walk{&frames, nullptr, 0, true};
  auto walk_stack = [] { return _Unwind_Backtrace(visit, &walk) == _URC_END_OF_STACK; };
  attempt(walk_stack);
  return walk.count;
}

}  // namespace psim::net::crash_signals
