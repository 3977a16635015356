// SPDX-License-Identifier: Apache-2.0
// Why one run of ranks on a network takes longer than another: differences of their time by state and
// function, of the load of links, of the waits of messages for each other, and of the critical paths. Results
// of runs with --report and --efficiency have all of these.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "psim/compare/core_difference.h"

namespace psim::compare {

/// A rank, or a group of ranks, in two runs.
struct RankChange {
  std::uint32_t first = 0, last = 0;
  double seconds = 0;        ///< of all states: second less first
  std::string state;         ///< with the largest difference
  double state_seconds = 0;  ///< of that
};

/// The shares of time in which the links of a direction were busy.
struct LinkChange {
  std::string direction;
  std::uint32_t routers_a_column = 1;
  std::vector<double> first, second;  ///< by column of routers
};

/// The messages of one rank to another.
struct MessageChange {
  std::uint32_t from = 0, to = 0;
  double messages = 0;
  double first = 0, second = 0;  ///< seconds in which they waited for others, summed over the messages
  double seconds() const { return second - first; }
};

struct NetDifference {
  double seconds = 0;                   ///< of the whole runs, second less first
  std::vector<Change> states;           ///< of the mean rank; like all lists, the largest difference first
  std::vector<Change> functions;        ///< seconds in functions of a mean rank; empty without --report
  std::vector<RankChange> ranks;        ///< empty without times by rank
  std::vector<LinkChange> links;        ///< empty if the networks differ
  std::vector<MessageChange> messages;  ///< empty without messages in both
  double waited_first = 0, waited_second = 0;  ///< of all messages, seconds
  std::vector<Change> path;                    ///< critical path by cause; empty without --efficiency
  std::vector<std::string> missing;            ///< what the results lack
  /// Returns the cause in a sentence.
  std::string sentence() const;
};

/// Returns nothing unless both are results of `psim net` with a program and the same number of ranks.
/// The pages are the results' keys of that name.
std::optional<NetDifference> net_difference(const nlohmann::ordered_json& first,
                                            const nlohmann::ordered_json& first_page,
                                            const nlohmann::ordered_json& second,
                                            const nlohmann::ordered_json& second_page);

nlohmann::ordered_json json_of(const NetDifference& difference);

}  // namespace psim::compare
