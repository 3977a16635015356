// SPDX-License-Identifier: Apache-2.0
// A recorded or scheduled program: the messages and computation of each of its ranks. Input of
// `psim net --replay`; read by goal_trace.h, chakra_trace.h, dumpi_trace.h and, from
// OTF2 archives, otf2_trace.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ranks/replay/operation.h"

namespace psim::net::replay {

struct RankTrace {
  std::vector<Operation> operations;
  std::uint32_t requests = 0;
  // Of a schedule; see RankView.
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> successors, required;
};

/// The numbers of requests of a rank that are not in use.
class RequestNumbers {
 public:
  std::uint32_t take(RankTrace& rank) {
    if (free_.empty()) return rank.requests++;
    const std::uint32_t request = free_.back();
    free_.pop_back();
    return request;
  }
  void give_back(std::uint32_t request) { free_.push_back(request); }

 private:
  std::vector<std::uint32_t> free_;
};

/// Operation `after` of a schedule begins when `before` has ended, or, with at_start, has begun.
struct Dependence {
  std::uint32_t after, before;
  bool at_start;
};

/// Fills the members of `rank` for a schedule. Returns an operation that can never begin, because it requires
/// itself, directly or through others; none if every operation can. At most 2^31 - 1 operations.
std::optional<std::uint32_t> set_dependences(RankTrace& rank, const std::vector<Dependence>& dependences);

struct Trace {
  /// Largest message in bytes: MPI's counts are int.
  static constexpr std::uint64_t kMostBytes = 0x7fffffff;

  std::string name;  ///< of the file
  std::vector<RankTrace> ranks;
  std::vector<std::vector<std::uint32_t>> communicators;  ///< members, ranks of the world; [0]: all
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> left_out;  ///< recorded operations that are not replayed, a line each

  std::uint64_t operations() const;
  /// Scales computing times and bytes of messages. Throws UserError if a message becomes too long.
  void scale(double compute, double message);
};

/// The arrays of a View. The trace must outlive it and not change.
class Replay {
 public:
  explicit Replay(const Trace& trace);
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  /// Returns the argument by which the replaying program finds this object.
  std::string argument() const;
  /// Returns the number of operations that ranks of this host process have begun.
  std::uint64_t begun() const { return begun_; }

 private:
  std::vector<RankView> ranks_;
  std::vector<CommunicatorView> communicators_;
  std::uint64_t begun_ = 0;
  View view_;
};

}  // namespace psim::net::replay
