// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/detailed_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "psim/commands/command.h"
#include "report/timeline/timeline_file.h"

namespace psim {

void add_detailed_options(CLI::App& app, DetailedOptions& options) {
  app.add_option(
         "--detailed", options.nodes,
         "simulate only these nodes cycle by cycle, such as 0,7 or 0:3; the others execute the program "
         "functionally and send its messages (docs/nodes.md) [all]")
      ->type_name("NODES");
  app.add_option("--functional-cpi", options.cpi,
                 "cycles per instruction of functional nodes [as the others have measured so far in the same "
                 "region]")
      ->type_name("CPI")
      ->check(commands::number_in(0.1, 1000.0));
}

void choose_detailed(const DetailedOptions& options, Scenario& scenario) {
  if (options.nodes.empty()) {
    if (options.cpi != 0)
      throw UserError(
          fmt::format("--functional-cpi {}: needs --detailed, the nodes of which it is not", options.cpi));
    return;
  }
  for (const auto& [first, last] : parse_numbers("--detailed", options.nodes, "node", scenario.nodes))
    for (std::uint32_t node = first; node <= last; ++node) scenario.detailed.push_back(node);
  std::ranges::sort(scenario.detailed);
  scenario.functional_cpi = options.cpi;
}

void check_detailed(const DetailedOptions& options, const Scenario& scenario,
                    std::initializer_list<std::pair<bool, const char*>> wishes) {
  if (scenario.detailed.empty()) return;
  if (scenario.node.node.cores > 1)
    throw UserError(
        fmt::format("--detailed {}: node.cores = {}; expected 1, as functional nodes have one core",
                    options.nodes, scenario.node.node.cores));
  for (const auto& [present, what] : wishes)
    if (present)
      throw UserError(fmt::format("--detailed {}: not with {}, which needs all nodes cycle by cycle",
                                  options.nodes, what));
}

void check_dumped(const DetailedOptions& options, const Scenario& scenario, const ObservedCore& core) {
  if (scenario.functional(core.node))
    throw UserError(
        fmt::format("--detailed {}: node {} has no stages to dump; expected --dump-node with one of these",
                    options.nodes, core.node));
  if (!scenario.detailed.empty() && core.at_end)
    throw UserError(
        fmt::format("--detailed {}: not with a window of a message, which needs all nodes cycle by cycle",
                    options.nodes));
}

void add_functional_nodes(nlohmann::ordered_json& body, const Scenario& scenario) {
  std::vector<std::uint32_t> functional;
  for (std::uint32_t node = 0; node < scenario.nodes; ++node) {
    if (!scenario.functional(node)) continue;
    functional.push_back(node);
    body["nodes"][node]["functional"] = true;
  }
  if (functional.empty()) return;
  body["assumptions"].push_back(fmt::format(
      "nodes {}: execute functionally, without pipeline and caches, in {}; their times are not measured, and "
      "statistics leave these nodes out",
      fmt::join(functional, ", "),
      scenario.functional_cpi == 0
          ? "the cycles per instruction that the others had measured in the same region"
          : fmt::format("{} cycles per instruction", scenario.functional_cpi)));
}

}  // namespace psim
