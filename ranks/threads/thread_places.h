// SPDX-License-Identifier: Apache-2.0
// Coroutines for the threads that ranks start, made as they are asked for.
#pragma once

#include <memory>
#include <vector>

#include "ranks/fibers.h"
#include "ranks/threads/thread.h"

namespace psim::net {

class ThreadPlaces {
 public:
  /// The least stack of a thread: what Linux gives, virtual.
  static constexpr Bytes kStack{8 << 20};

  /// Each calls body(context, …) when first resumed.
  ThreadPlaces(Fibers::Body body, void* context) : body_(body), context_(context) {}

  /// One that nobody has, with a stack of at least `stack`. Throws UserError if there is no address space.
  ThreadPlace take(Bytes stack);
  /// It has ended, or was dropped.
  void give_back(const ThreadPlace& place) { free_.push_back(place); }

 private:
  Fibers::Body body_;
  void* context_;
  std::vector<std::unique_ptr<Fibers>> sets_;
  std::vector<ThreadPlace> free_;
  std::uint32_t made_ = 0;
};

}  // namespace psim::net
