// SPDX-License-Identifier: Apache-2.0
// A rank's request to its interface: a copy between the memories of two ranks, an atomic operation on one, or
// an operation defined by the library, as the one-sided operations of MPI are.
#pragma once

#include <cstdint>

namespace psim::net::rdma {

/// The number of an operation of a rank: 1, 2, …
using Handle = std::uint64_t;

enum class Action : std::uint8_t { Copy, CompareAndSwap, Swap, Add, Xor, Or, And, Perform };

struct Operation {
  Action action = Action::Copy;
  bool addressed = false;             ///< refers to memory; else sizes only (MGEN_acp_copy)
  bool program_acknowledges = false;  ///< a put that the destination's program acknowledges
  std::uint32_t source = 0;        ///< rank of the world whose data are read; of an atomic: the memory's rank
  std::uint32_t destination = 0;   ///< rank of the world; of an atomic: the requester, gets the old value
  std::uint64_t from = 0, to = 0;  ///< addresses in their memories, for Client::find
  std::uint64_t bytes = 0;         ///< of an atomic 4 or 8
  std::uint64_t operand = 0;       ///< the value swapped in, added, …; of compare-and-swap: the new value
  std::uint64_t expected = 0;      ///< of compare-and-swap
  // Of Action::Perform.
  bool by_control = false;    ///< the request is a control packet, without data
  std::uint32_t context = 0;  ///< of the client
  std::uint32_t token = 0;    ///< of the client, returned with the reply
  std::uint32_t payload = 0;  ///< of the engine, while the operation waits

  /// Returns whether both are copies between the same ranks: then this one need not wait for the end of
  /// `other`.
  bool follows(const Operation& other) const {
    return action == Action::Copy && other.action == Action::Copy && source == other.source &&
           destination == other.destination;
  }
};

}  // namespace psim::net::rdma
