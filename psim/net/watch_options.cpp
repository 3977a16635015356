// SPDX-License-Identifier: Apache-2.0
#include "psim/net/watch_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

/// Adds every channel of a link: "3-4" is every channel from router 3 to router 4.
void choose_link(net::WatchConfig& config, const net::Graph& graph, const std::string& text,
                 std::string_view link) {
  std::uint32_t ends[2]{};
  const char* at = link.data();
  const char* const end = link.data() + link.size();
  bool right = true;
  for (int i = 0; i < 2 && right; ++i) {
    const auto [next, error] = std::from_chars(at, end, ends[i]);
    right = error == std::errc{} && ends[i] < graph.routers() &&
            (i == 0 ? next != end && *next == '-' : next == end);
    at = next + 1;
  }
  if (!right)
    throw UserError(
        fmt::format("--observe-links {}: \"{}\" is not a link; expected two routers of 0 … {}, or several "
                    "links with commas, such as 0-1,1-0",
                    text, link, graph.routers() - 1));
  std::vector<std::uint32_t> neighbours;
  bool any = false;
  for (std::uint32_t port = 0; port < graph.ports(ends[0]); ++port) {
    const std::uint32_t to = graph.channel(ends[0], port).to_router;
    if (to != net::Channel::kNowhere) neighbours.push_back(to);
    if (to == ends[1]) config.channels[graph.first_port[ends[0]] + port] = any = true;
  }
  if (any) return;
  throw UserError(
      fmt::format("--observe-links {}: no link leads from router {} to router {}; from router {}, links "
                  "lead to {}",
                  text, ends[0], ends[1], ends[0],
                  neighbours.empty() ? "none" : fmt::format("{}", fmt::join(neighbours, ", "))));
}

}  // namespace

net::WatchConfig watch_config(const ProgramOptions& options, const net::Graph& graph) {
  net::WatchConfig config;
  config.routers.resize(graph.routers());
  config.channels.resize(graph.channels.size());
  const net::Observation times = observed_times(options);
  config.from = times.from;
  config.to = times.to;
  if (!options.observe_every.empty()) {
    const ParsedQuantity every = parse_quantity(options.observe_every, Dimension::Time);
    if (!every.value || *every.value == 0)
      throw UserError(fmt::format("--observe-every {}: {}; expected {}", options.observe_every,
                                  every.value ? "is nothing" : every.problem, example(Dimension::Time)));
    config.every = *every.value;
  }
  const std::string& routers = options.observe_routers;
  if (routers == "all") {
    config.routers.assign(graph.routers(), true);
  } else if (!routers.empty()) {
    for (const auto& [first, last] : parse_numbers("--observe-routers", routers, "router", graph.routers()))
      for (std::uint32_t router = first; router <= last; ++router) config.routers[router] = true;
  }
  const std::string_view links = options.observe_links;
  for (std::size_t from = 0; from < links.size();) {
    const std::size_t to = std::min(links.find(',', from), links.size());
    choose_link(config, graph, options.observe_links, links.substr(from, to - from));
    from = to + 1;
  }
  return config;
}

}  // namespace psim
