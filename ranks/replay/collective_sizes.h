// SPDX-License-Identifier: Apache-2.0
// The collectives of a recorded program: derives the size of each from the bytes that its ranks sent and
// received.
#pragma once

#include <cstdint>
#include <vector>

#include "ranks/replay/trace.h"

namespace psim::net::replay {

class CollectiveSizes {
 public:
  /// Completes the collectives of `trace`, whose communicators are set. `score_p`: Score-P wrote the trace,
  /// which gives sizes in its own way.
  CollectiveSizes(Trace& trace, bool score_p);

  /// Adds operation `index` of `rank`; its kind, communicator and request are set already.
  /// `to_each`: of an Alltoallv, the bytes to each rank, where they are known and differ.
  void add(std::uint32_t rank, std::uint64_t index, Collective op, std::uint32_t root, std::uint64_t sent,
           std::uint64_t received, std::vector<std::uint64_t> to_each = {});
  /// Completes all operations after the last add(). Throws UserError if ranks disagree.
  void finish();

 private:
  struct Part {
    std::uint64_t index, sent, received;
    std::uint32_t root;
    Collective op;
    std::vector<std::uint64_t> to_each;
  };
  void finish(std::uint32_t communicator);
  /// Completes collective `number` of the communicator.
  void finish(std::uint32_t communicator, std::size_t number);
  /// Completes an Alltoallv of which some rank's bytes to each are known.
  void finish_each(std::uint32_t communicator, std::size_t number);
  std::uint32_t checked(std::uint64_t bytes) const;

  Trace& trace_;
  bool score_p_;
  std::vector<std::vector<std::vector<Part>>> parts_;  ///< [communicator][rank in it]
  std::vector<std::vector<std::uint32_t>>
      rank_in_communicator_;  ///< [communicator][rank of the world]; made when needed
};

}  // namespace psim::net::replay
