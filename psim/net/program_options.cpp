// SPDX-License-Identifier: Apache-2.0
#include "psim/net/program_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "netsim/topology/switch_tree.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

std::uint64_t time_of(const std::string& option, const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  const ParsedQuantity time = parse_quantity(text, Dimension::Time);
  if (!time.value)
    throw UserError(
        fmt::format("{} {}: {}; expected {}", option, text, time.problem, example(Dimension::Time)));
  return *time.value;
}

}  // namespace

std::uint64_t carry(const std::string& what, const std::string& data, bool sizes_only,
                    std::uint64_t configured) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  if (data.empty()) return sizes_only && configured == kAll ? 0 : configured;
  if (data == "carry") return kAll;
  if (data == "none") return 0;
  const ParsedQuantity size = parse_quantity(data, Dimension::Size);
  if (!size.value)
    throw UserError(
        fmt::format("{} {}: {}; expected carry, none, or the size of the largest message whose data travel",
                    what, data, size.problem));
  return *size.value;
}

void place_tree(net::HardwareConfig& hardware, const net::NetworkConfig& network, const net::Graph& graph) {
  hardware.nodes = graph.nodes();
  if (hardware.kind != net::HardwareCollectives::Switches) return;
  if (network.nic.rails == net::NicRails::Spread)
    throw UserError(
        "collective.hardware = \"switches\": not with nic.rails = \"spread\"; its tree needs nodes at one "
        "router, expected shared or planes");
  const net::SwitchTree tree = net::switch_tree(network, graph);
  hardware.switches = tree.switches;
  hardware.cables = tree.cables;
  hardware.switch_bandwidth = tree.bandwidth;
}

void check_hardware(const net::HardwareConfig& hardware, std::uint64_t lookahead) {
  if (hardware.kind == net::HardwareCollectives::None) return;
  const auto least = static_cast<std::uint64_t>(hardware.least().count());
  if (least >= lookahead) return;
  throw UserError(fmt::format(
      "collective.hardware: half of a collective takes {} ps, less than the {} ps in which one router "
      "reaches another; expected {}",
      least, lookahead,
      hardware.kind == net::HardwareCollectives::Barrier
          ? fmt::format("collective.barrier_latency of {} ps or more", 2 * lookahead)
      : hardware.kind == net::HardwareCollectives::Switches
          ? "a larger collective.tree_latency or collective.switch_latency"
          : "a larger collective.tree_latency or collective.tree_hop"));
}

void check_barrier_network(const net::SyncCommConfig& sync, std::uint64_t lookahead) {
  if (sync.kind == net::BarrierNetwork::None) return;
  const auto line = static_cast<std::uint64_t>(sync.line.count());
  if (line >= lookahead) return;
  throw UserError(
      fmt::format("barrier.line = {} ps: less than the {} ps in which one router reaches another; "
                  "expected {} ps or more",
                  line, lookahead, lookahead));
}

void check_observation(const ProgramOptions& options) {
  if (!options.observes && !options.observed.empty())
    throw UserError(
        fmt::format("--observe-ranks {}: needs --timeline or --report, which show ranks", options.observed));
  for (const auto& [option, text] :
       {std::pair("--observe-routers", options.observe_routers), {"--observe-links", options.observe_links}})
    if (!options.watches && !text.empty())
      throw UserError(fmt::format("{} {}: needs --csv, which names the folder of the tables", option, text));
  const bool chosen = !options.observe_routers.empty() || !options.observe_links.empty();
  if (!chosen && !options.observe_every.empty())
    throw UserError(
        fmt::format("--observe-every {}: needs --observe-routers or --observe-links", options.observe_every));
  for (const auto& [option, text] : {std::pair("--observe-from", options.from), {"--observe-to", options.to}})
    if (!options.observes && !chosen && !text.empty())
      throw UserError(fmt::format("{} {}: needs --timeline, --report, --observe-routers or --observe-links",
                                  option, text));
}

net::Observation observed_times(const ProgramOptions& options) {
  net::Observation what;
  what.from = time_of("--observe-from", options.from, what.from);
  what.to = time_of("--observe-to", options.to, what.to);
  if (what.to < what.from)
    throw UserError(fmt::format("--observe-to {}: before --observe-from {}", options.to, options.from));
  return what;
}

net::Observation observation(const ProgramOptions& options, std::uint32_t ranks) {
  check_observation(options);
  net::Observation what = observed_times(options);
  if (!options.observed.empty())
    what.ranks = parse_numbers("--observe-ranks", options.observed, "rank", ranks);
  return what;
}

Bytes stack_of(const std::string& text, std::uint32_t ranks) {
  if (text.empty()) return net::default_stack(ranks);
  const ParsedQuantity stack = parse_quantity(text, Dimension::Size);
  if (!stack.value)
    throw UserError(
        fmt::format("--stack {}: {}; expected {}", text, stack.problem, example(Dimension::Size)));
  return Bytes{*stack.value};
}

}  // namespace psim
