// SPDX-License-Identifier: Apache-2.0
// The operations of a recorded program's ranks. psim reads them; a program of ranks
// (workloads/mgen/replay.cpp) that shares this memory replays them, so they are plain data.
#pragma once

#include <cstdint>

namespace psim::net::replay {

enum class Kind : std::uint8_t {
  Compute,     ///< `amount` ps; in a schedule on unit `peer`: 0, the processor, or 1, the accelerator
  Send,        ///< starts to send `amount` bytes to `peer`; a Wait for `request` follows
  Receive,     ///< starts to receive `amount` bytes from `peer`, or kAny
  Wait,        ///< waits for `request`
  Collective,  ///< `collective`, to its end
  Start        ///< starts `collective`; a Wait for `request` follows
};

enum class Collective : std::uint8_t {
  Barrier,
  Bcast,          ///< `amount` bytes of `peer`, the root
  Reduce,         ///< `amount` bytes of each
  Allreduce,      ///< `amount` bytes of each
  Scan,           ///< `amount` bytes of each
  Exscan,         ///< `amount` bytes of each
  Gather,         ///< `amount` bytes of each to `peer`
  Scatter,        ///< `amount` bytes of `peer` to each
  Allgather,      ///< `amount` bytes of each to all
  Alltoall,       ///< `amount` bytes of each to each
  ReduceScatter,  ///< `amount` bytes of the result to each
  // The collectives below have a share of sizes[r] bytes for each rank r.
  Gatherv,
  Scatterv,
  Allgatherv,
  Alltoallv,  ///< bytes that each sends, divided evenly over all
  ReduceScatterv,
  /// As Alltoallv, but sizes[r] bytes go to each rank r, and after these shares sizes[r] bytes come from
  /// each.
  AlltoallEach,
};

constexpr std::uint32_t kAny = ~std::uint32_t{0};

struct Operation {
  std::uint64_t amount = 0;
  std::uint32_t peer = 0;          ///< rank in the communicator
  std::int32_t tag = 0;            ///< -1: any
  std::uint32_t communicator = 0;  ///< 0: the world
  std::uint32_t request = 0;       ///< a small number, reused after its Wait
  std::uint32_t sizes = 0;         ///< first index into View::sizes, by rank of the communicator
  Kind kind = Kind::Compute;
  Collective collective = Collective::Barrier;
};

/// The operations of one rank, done in order; in a schedule each starts as soon as its requirements are met.
struct RankView {
  const Operation* operations = nullptr;
  std::uint64_t count = 0;
  std::uint32_t requests = 0;  ///< bound of the numbers of requests
  /// Of a schedule, else null. The successors of operation i are successors[first[i]] … successors[first[i +
  /// 1] - 1], shifted left by one; bit 0: they depend on its start, else on its end. required[i]: its number
  /// of requirements.
  const std::uint64_t* first = nullptr;
  const std::uint32_t* successors = nullptr;
  const std::uint32_t* required = nullptr;
};

struct CommunicatorView {
  const std::uint32_t* members = nullptr;  ///< ranks of the world
  std::uint32_t size = 0;
};

struct View {
  const RankView* ranks = nullptr;
  const CommunicatorView* communicators = nullptr;
  const std::uint32_t* sizes = nullptr;
  std::uint64_t* begun = nullptr;  ///< operations that ranks of this host process have begun
};

}  // namespace psim::net::replay
