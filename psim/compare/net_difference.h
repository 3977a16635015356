// SPDX-License-Identifier: Apache-2.0
// Why one run of ranks on a network, or on cycle-level nodes, takes longer than another: differences of their
// time by state and function, of the load of links, of the waits of messages for each other, and of the
// critical paths; of nodes also by cause of the cycles and by energy. Results of runs with --report,
// --efficiency and --energy have all of these.
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
  /// Seconds in which they waited for others, summed over the messages; of nodes, seconds from the doorbell
  /// to the completion.
  double first = 0, second = 0;
  double seconds() const { return second - first; }
};

struct NetDifference {
  double seconds = 0;          ///< of the whole runs, second less first
  std::vector<Change> states;  ///< of the mean rank; like all lists, the largest difference first
  /// Seconds in functions of a mean rank; empty without --report, and for nodes without --energy.
  std::vector<Change> functions;
  bool nodes = false;                          ///< ranks on cycle-level nodes
  std::vector<Change> parts;                   ///< of the CPI stack of a mean rank on a node
  std::vector<Change> regions;                 ///< their time without waits, of a mean rank on a node
  std::vector<Change> energy;                  ///< joules by part of the nodes
  std::vector<RankChange> ranks;               ///< empty without times by rank
  std::vector<LinkChange> links;               ///< empty if the networks differ
  std::vector<MessageChange> messages;         ///< empty without messages in both
  double waited_first = 0, waited_second = 0;  ///< of all messages, seconds
  std::vector<Change> path;                    ///< critical path by cause; empty without --efficiency
  std::vector<std::string> missing;            ///< what the results lack
  /// Returns the cause in a sentence.
  std::string sentence() const;
};

/// Returns nothing unless both are results of `psim net` with a program, or of `psim cosim`, and of the same
/// number of ranks.
/// The pages are the results' keys of that name.
std::optional<NetDifference> net_difference(const nlohmann::ordered_json& first,
                                            const nlohmann::ordered_json& first_page,
                                            const nlohmann::ordered_json& second,
                                            const nlohmann::ordered_json& second_page);

nlohmann::ordered_json json_of(const NetDifference& difference);
/// Returns the first changes: name, numbers of both, and under `unit` the difference or effect.
nlohmann::ordered_json changes_of(const std::vector<Change>& changes, const char* unit = "seconds");

}  // namespace psim::compare
