// SPDX-License-Identifier: Apache-2.0
// The cores of psim cosim over time, as rows of the same picture as the ranks of psim net (web/rank_view.js).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cosim/message_timeline.h"
#include "cosim/rank_stretches.h"

namespace psim::report {

/// The cores of all nodes.
struct NodeRows {
  const std::vector<cosim::RankStretches>& cores;  ///< node by node
  std::uint32_t of_node = 1, of_rank = 1;          ///< cores
  std::uint64_t period = 1;                        ///< ps of a cycle
};

/// Returns the key `ranks` of the page: keys as of rank_rows(), with a row for each core and
///   names      of rows
///   kinds      name and colour of each kind of time, and `kind_of` the kind of each function
///   messages   names of messages by serial number, from 1 on
///   stacks     the time of each row by slice: `shares`, base64 of two bytes for each slice and part in parts
///   of
///              1 / 65535 of the slice, and `instructions`, `sent` and `received` (bytes)
nlohmann::ordered_json node_rows(const NodeRows& rows, const cosim::MessageTimeline& messages);

}  // namespace psim::report
