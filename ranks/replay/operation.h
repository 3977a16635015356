// SPDX-License-Identifier: Apache-2.0
// What a rank of a recorded program does next. Read by psim, replayed by a program of ranks
// (workloads/mgen/replay.cpp) that shares this memory: so plain data only.
#pragma once

#include <cstdint>

namespace psim::net::replay {

enum class Kind : std::uint8_t {
  Compute,     ///< `amount` ps
  Send,        ///< starts to send `amount` bytes to `peer`; `request` is then to be waited for
  Receive,     ///< starts to receive so many from `peer`, or kAny
  Wait,        ///< for `request`
  Collective,  ///< `collective`, to its end
  Start        ///< `collective`; `request` is then to be waited for
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
  // Of those below sizes[r] bytes are each rank r's share.
  Gatherv,
  Scatterv,
  Allgatherv,
  Alltoallv,  ///< what each sends, divided evenly over all
  ReduceScatterv,
};

constexpr std::uint32_t kAny = ~std::uint32_t{0};

struct Operation {
  std::uint64_t amount = 0;
  std::uint32_t peer = 0;          ///< rank in the communicator
  std::int32_t tag = 0;            ///< -1: any
  std::uint32_t communicator = 0;  ///< 0: the world
  std::uint32_t request = 0;       ///< a small number, used again after its Wait
  std::uint32_t sizes = 0;         ///< where in View::sizes those of the communicator's ranks begin
  Kind kind = Kind::Compute;
  Collective collective = Collective::Barrier;
};

/// The operations of one rank. Done in order; in a schedule each as soon as those it requires allow.
struct RankView {
  const Operation* operations = nullptr;
  std::uint64_t count = 0;
  std::uint32_t requests = 0;  ///< numbers of requests are below
  /// Of a schedule, else null. Operation i lets those in successors[first[i]] … successors[first[i + 1] - 1]
  /// begin, shifted left by one; bit 0: already when it starts. required[i]: how many must let it.
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
