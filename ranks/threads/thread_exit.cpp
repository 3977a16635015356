// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/thread_exit.h"

#include <setjmp.h>
#include <unwind.h>

#include "ranks/libc/libc_caller.h"

namespace psim::net {

namespace {

/// Called for each frame while the thread unwinds.
_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                         _Unwind_Context* context, void* self) {
  auto& threads = *static_cast<RankThreads*>(self);
  Thread& me = threads.running();
  const auto* at = reinterpret_cast<const char*>(_Unwind_GetIP(context));
  const bool in_simulator = at >= &__executable_start && at < &etext;
  // The program's frames are between the simulator's.
  if ((actions & _UA_END_OF_STACK) != 0 || (me.exit_in_program && in_simulator)) threads.finish(me.result);
  me.exit_in_program |= !in_simulator;
  return _URC_NO_REASON;
}

[[noreturn]] void unwind(RankThreads& threads) {
  Thread& me = threads.running();
  me.exit = std::make_unique<_Unwind_Exception>();  // belongs to no language
  _Unwind_ForcedUnwind(me.exit.get(), &stop, &threads);
  threads.finish(me.result);  // the stack cannot be unwound
}

/// Runs cleanup handlers in C, which are jump targets; each then calls __pthread_unwind_next.
[[noreturn]] void clean_up(RankThreads& threads) {
  Thread& me = threads.running();
  if (me.cleanups.empty()) unwind(threads);
  auto* const buffer = static_cast<__pthread_unwind_buf_t*>(me.cleanups.back());
  me.cleanups.pop_back();
  ::siglongjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
}

}  // namespace

void exit_thread(RankThreads& threads, void* result) {
  Thread& me = threads.running();
  me.result = result;
  me.cancels = false;
  clean_up(threads);
}

}  // namespace psim::net

using psim::net::RankThreads;

extern "C" {

PSIM_SEES_CALLER void pthread_exit(void* result) {
  if (psim::net::belongs_to_program(__builtin_return_address(0)))
    psim::net::exit_thread(psim::net::running_rank->start_threads(), result);
  PSIM_REAL(pthread_exit)(result);
  __builtin_unreachable();
}

PSIM_SEES_CALLER void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (RankThreads* threads = PSIM_THREADS) {
    threads->running().cleanups.push_back(buffer);
    return;
  }
  PSIM_REAL(__pthread_register_cancel)(buffer);
}

PSIM_SEES_CALLER void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (RankThreads* threads = PSIM_THREADS) {
    auto& cleanups = threads->running().cleanups;
    if (!cleanups.empty() && cleanups.back() == buffer) cleanups.pop_back();
    return;
  }
  PSIM_REAL(__pthread_unregister_cancel)(buffer);
}

PSIM_SEES_CALLER [[noreturn]] void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (RankThreads* threads = PSIM_THREADS) psim::net::clean_up(*threads);
  PSIM_REAL(__pthread_unwind_next)(buffer);
  __builtin_unreachable();
}

}  // extern "C"
