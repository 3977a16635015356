// SPDX-License-Identifier: Apache-2.0
// The messages to trace: `psim cosim --message`.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "cosim/queue_format.h"

namespace psim::cosim {

struct MessageChoice {
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  struct Range {
    std::uint64_t first = 0, last = kMost;
    bool holds(std::uint64_t value) const { return first <= value && value <= last; }
  };

  Range from{}, to{};                    ///< ranks
  Range number{};                        ///< of the descriptor at its rank, from 0
  Range bytes{};                         ///< of the user's data, if the header is that of the MPI library
  Range time{};                          ///< ps; the doorbell commits
  std::optional<std::int32_t> tag = {};  ///< of the MPI library
  std::uint64_t most = 1000;             ///< the first of these, in the order of their doorbells

  bool takes(std::uint32_t rank, std::uint64_t descriptor_number, const queue::Descriptor& descriptor,
             std::uint64_t rang) const;
};

/// Parses "0.17" (message 17 of rank 0) or "from=0,to=1,tag=7,bytes=1024:,number=3:5,time=10 us:20
/// us,first=9", of which each key is optional. Throws UserError that names `option`.
MessageChoice parse_message_choice(const std::string& option, const std::string& text, std::uint32_t ranks);

}  // namespace psim::cosim
