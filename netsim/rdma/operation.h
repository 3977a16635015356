// SPDX-License-Identifier: Apache-2.0
// What a rank asks of its interface: a copy between the memories of two ranks, an atomic operation on one, or
// something of the library's own, as the one-sided operations of MPI are.
#pragma once

#include <cstdint>

namespace psim::net::rdma {

/// Counts the operations of a rank: 1, 2, …
using Handle = std::uint64_t;

enum class Action : std::uint8_t { Copy, CompareAndSwap, Swap, Add, Xor, Or, And, Perform };

struct Operation {
  Action action = Action::Copy;
  bool addressed = false;          ///< there is memory behind it; else sizes only (MGEN_acp_copy)
  bool asks_program = false;       ///< a put that the destination's program acknowledges
  std::uint32_t source = 0;        ///< rank of the world whose data are read; of an atomic: where it is done
  std::uint32_t destination = 0;   ///< rank of the world; of an atomic: who asks, and gets the old value
  std::uint64_t from = 0, to = 0;  ///< addresses in their memories, as the Memory names them
  std::uint64_t bytes = 0;         ///< of an atomic 4 or 8
  std::uint64_t operand = 0;       ///< what is swapped in, added, …; of compare-and-swap: the new value
  std::uint64_t expected = 0;      ///< of compare-and-swap
  // Of Action::Perform.
  bool by_control = false;    ///< no data go there: a control packet asks
  std::uint32_t context = 0;  ///< the client's
  std::uint32_t token = 0;    ///< the client's, given back with the answer
  std::uint32_t payload = 0;  ///< the engine's, while the operation waits

  /// Both are copies the same way: the second can follow the first without waiting for its end.
  bool follows(const Operation& other) const {
    return action == Action::Copy && other.action == Action::Copy && source == other.source &&
           destination == other.destination;
  }
};

}  // namespace psim::net::rdma
