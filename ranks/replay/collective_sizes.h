// SPDX-License-Identifier: Apache-2.0
// Collectives of an OTF2 archive: derives the size of each collective from the bytes sent and received by its
// ranks.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "ranks/replay/trace.h"

namespace psim {

class Otf2Collectives {
 public:
  /// Completes the collectives of `trace`, whose communicators are set.
  Otf2Collectives(net::replay::Trace& trace, bool score_p);

  /// Returns whether `op` can be replayed.
  static bool takes(OTF2_CollectiveOp op);
  /// Adds operation `index` of `rank`; its kind, communicator and request are set already.
  void add(std::uint32_t rank, std::uint64_t index, OTF2_CollectiveOp op, std::uint32_t root,
           std::uint64_t sent, std::uint64_t received);
  /// Completes all operations after the last add(). Throws UserError if ranks disagree.
  void finish();

 private:
  struct Part {
    std::uint64_t index, sent, received;
    std::uint32_t root;
    OTF2_CollectiveOp op;
  };
  void finish(std::uint32_t communicator);
  /// Completes collective `number` of the communicator.
  void finish(std::uint32_t communicator, std::size_t number);
  std::uint32_t checked(std::uint64_t bytes) const;

  net::replay::Trace& trace_;
  bool score_p_;
  std::vector<std::vector<std::vector<Part>>> parts_;  ///< [communicator][rank in it]
  std::vector<std::vector<std::uint32_t>>
      rank_in_communicator_;  ///< [communicator][rank of the world]; made when needed
};

}  // namespace psim
