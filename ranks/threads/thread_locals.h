// SPDX-License-Identifier: Apache-2.0
// The thread_local variables of a program, its private libraries, and gfortran's library. Each thread of a
// rank has its own values, which are copied out and in at one address when another thread runs.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "ranks/program/fortran_library.h"
#include "ranks/program/image.h"
#include "ranks/threads/thread.h"

namespace psim::net {

class ThreadLocals {
 public:
  /// `fortran` may be null.
  ThreadLocals(const Program& program, const FortranLibrary* fortran)
      : program_(&program), fortran_(fortran) {}

  /// Exchanges the values of two threads of the rank of `image`; null: `last` has ended.
  void exchange(const Image& image, Thread* last, Thread& next);

 private:
  /// The variables of one library, and the initial values of the first of them.
  struct Block {
    std::span<std::byte> here;
    std::span<const std::byte> values;
  };
  const std::vector<Block>& blocks_of(const Image& image);

  const Program* program_;
  const FortranLibrary* fortran_;
  std::map<const Image*, std::vector<Block>> blocks_;  // never iterated
};

}  // namespace psim::net
