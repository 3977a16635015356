// SPDX-License-Identifier: Apache-2.0
// Attributes cached on communicators, datatypes and windows (MPI-3.1 section 6.7).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

/// Pairs of keyval and value, in the order in which they were set.
using Attributes = std::vector<std::pair<int, void*>>;

enum class AttributeOwner : std::uint8_t { Communicator, Datatype, Window };

struct Keyval {
  /// The three kinds of copy and delete functions differ only in the type of the handle, an int.
  using Copy = int(int, int, void*, void*, void*, int*);
  using Delete = int(int, int, void*, void*);
  AttributeOwner owner{};
  Copy* copy = nullptr;
  Delete* remove = nullptr;
  void* extra = nullptr;
  std::uint32_t uses = 0;  ///< attributes that exist, and the user's own handle
  bool freed = false;      ///< the user's own handle is gone
};

}  // namespace psim::net::mpi
