// SPDX-License-Identifier: Apache-2.0
// Coroutines for the threads that ranks start, made on demand.
#pragma once

#include <memory>
#include <vector>

#include "ranks/fibers/fibers.h"
#include "ranks/threads/thread.h"

namespace psim::net {

class ThreadCoroutines {
 public:
  /// The least stack of a thread: Linux's default, virtual.
  static constexpr Bytes kStack{8 << 20};

  /// Makes coroutines that each call body(context, …) when first resumed.
  ThreadCoroutines(Fibers::Body body, void* context) : body_(body), context_(context) {}

  /// Returns a free coroutine with a stack of at least `stack`. Throws UserError if the address space does
  /// not suffice.
  ThreadCoroutine take(Bytes stack);
  /// Returns a coroutine that has ended or was dropped.
  void give_back(const ThreadCoroutine& coroutine) { free_.push_back(coroutine); }

 private:
  Fibers::Body body_;
  void* context_;
  std::vector<std::unique_ptr<Fibers>> sets_;
  std::vector<ThreadCoroutine> free_;
  std::uint32_t made_ = 0;
};

}  // namespace psim::net
