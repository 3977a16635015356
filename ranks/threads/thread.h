// SPDX-License-Identifier: Apache-2.0
// One thread of a rank.
#pragma once

#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ranks/libc/libc_state.h"

namespace psim::net {

class Fibers;

/// The coroutine that runs a thread.
struct ThreadCoroutine {
  Fibers* fibers = nullptr;
  std::uint32_t fiber = 0;
  Bytes stack{0};
  std::uint32_t number = 0;  ///< among all coroutines for threads
};

/// One thread of a rank.
struct Thread {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  std::uint32_t number = 0;  ///< in its rank; 0: thread of main
  ThreadCoroutine coroutine;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool detached = false, ended = false;
  bool joined = false;     ///< by a thread that waits for its end
  bool cancelled = false;  ///< pthread_cancel was called for it
  bool cancels = true;     ///< PTHREAD_CANCEL_ENABLE

  const void* waits_for = nullptr;  ///< while it waits; null: only for the time
  const char* call = nullptr;       ///< name of the call in which it waits
  std::uint64_t deadline = kNever;  ///< ps
  bool can_cancel = false;          ///< pthread_cancel ends the call
  enum class Woken : std::uint8_t { Called, TimedOut, Cancelled } woken = Woken::Called;

  std::vector<std::byte> thread_locals;     ///< saved while another thread runs; empty before its first run
  std::vector<void*> specific;              ///< values of pthread_key_t
  std::vector<LibcState::AtExit> at_exit;   ///< destructors of its thread_local objects
  std::unique_ptr<_Unwind_Exception> exit;  ///< while it unwinds its stack
  bool exit_in_program = false;             ///< the unwinding has reached frames of the program
  std::vector<void*> cleanups;              ///< __pthread_unwind_buf_t of pthread_cleanup_push in C
};

}  // namespace psim::net
