// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/operation_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.h"

namespace psim {

namespace {

std::string time_text(std::uint64_t ps) { return fmt::format("{:.3f} ns", static_cast<double>(ps) / 1000); }

}  // namespace

void print(const cosim::Operation& operation) {
  console::print("node {}: {} {} bytes {} node {}", operation.node, operation.put ? "put" : "get",
                 operation.bytes, operation.put ? "to" : "from", operation.peer);
  console::print("{}: {}\n", operation.ended ? "" : ", which no load has seen yet",
                 time_text(operation.at - operation.begun));
  for (const auto& [name, ps] : operation.parts) console::print("  {:<20} {:>14}\n", name, time_text(ps));
  if (operation.completed != 0)
    console::print("  complete at node {} after {}\n", operation.node,
                   time_text(operation.completed - operation.begun));
}

nlohmann::ordered_json json_of(const cosim::Operation& operation) {
  const auto seconds = [](std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; };
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const auto& [name, ps] : operation.parts) parts.push_back({{"name", name}, {"ps", ps}});
  return {{"kind", operation.put ? "put" : "get"},
          {"node", operation.node},
          {"peer", operation.peer},
          {"bytes", operation.bytes},
          {"begin_seconds", seconds(operation.begun)},
          {"latency_ps", operation.at - operation.begun},
          {"seen", operation.ended},
          {"completed_ps", operation.completed == 0 ? 0 : operation.completed - operation.begun},
          {"parts", std::move(parts)}};
}

}  // namespace psim
