// SPDX-License-Identifier: Apache-2.0
// The thread_local variables of a program and its private libraries, of which each thread of a rank has its
// own values: they are copied out and in when another thread runs, at one address.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "ranks/image.h"
#include "ranks/threads/thread.h"

namespace psim::net {

class ThreadLocals {
 public:
  explicit ThreadLocals(const Program& program) : program_(&program) {}

  /// The rank of `image` goes from one thread to another; null: `last` is over.
  void exchange(const Image& image, Thread* last, Thread& next);

 private:
  const std::vector<std::byte*>& places_of(const Image& image);

  const Program* program_;
  std::map<const Image*, std::vector<std::byte*>> places_;  // of each part; never walked
};

}  // namespace psim::net
