// SPDX-License-Identifier: Apache-2.0
#include "psim/net/watch_tables.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/error.h"
#include "psim/net/net_tables.h"
#include "psim/net/timeline_file.h"

namespace psim {
namespace {

/// "3-4": every channel from router 3 to router 4.
void choose_link(net::WatchConfig& config, const net::Graph& graph, const std::string& text,
                 std::string_view link) {
  std::uint32_t ends[2]{};
  const char* at = link.data();
  const char* const end = link.data() + link.size();
  bool right = true;
  for (int i = 0; i < 2 && right; ++i) {
    const auto [next, error] = std::from_chars(at, end, ends[i]);
    right = error == std::errc{} && ends[i] < graph.places() &&
            (i == 0 ? next != end && *next == '-' : next == end);
    at = next + 1;
  }
  if (!right)
    throw UserError(
        fmt::format("--observe-links {}: \"{}\" is no link; expected two routers of 0 … {}, and several with "
                    "commas, as in "
                    "0-1,1-0",
                    text, link, graph.places() - 1));
  std::vector<std::uint32_t> neighbours;
  bool any = false;
  for (std::uint32_t port = 0; port < graph.ports(ends[0]); ++port) {
    const std::uint32_t to = graph.channel(ends[0], port).to_place;
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
  config.routers.resize(graph.places());
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
    config.routers.assign(graph.places(), true);
  } else if (!routers.empty()) {
    for (const auto& [first, last] : parse_numbers("--observe-routers", routers, "router", graph.places()))
      for (std::uint32_t place = first; place <= last; ++place) config.routers[place] = true;
  }
  const std::string_view links = options.observe_links;
  for (std::size_t from = 0; from < links.size();) {
    const std::size_t to = std::min(links.find(',', from), links.size());
    choose_link(config, graph, options.observe_links, links.substr(from, to - from));
    from = to + 1;
  }
  return config;
}

WatchTables::WatchTables(const std::string& folder)
    : links_(folder + "/observed_links.csv", "--csv"),
      buffers_(folder + "/observed_buffers.csv", "--csv"),
      nodes_(folder + "/observed_nodes.csv", "--csv") {}

void WatchTables::write(const net::Graph& graph, const net::Watch& watch, std::uint64_t buffer) {
  const LinkNames names(graph);
  const auto interval = [&](std::uint64_t number) {
    return csv_seconds(watch.begin_of(number)) + "," + csv_seconds(watch.end_of(number));
  };
  const auto length = [&](std::uint64_t number) {
    return static_cast<double>(watch.end_of(number) - watch.begin_of(number));
  };
  std::string table =
      "begin_s,end_s,router,port,direction,to_router,node,packets,bytes,bytes_per_s,utilization,"
      "wait_mean_s,wait_max_s\n";
  for (const net::Watch::ChannelRow& row : watch.channels()) {
    const std::string name = row.channel.from_node ? names.from_node(row.channel.from, row.channel.port)
                                                   : names.from_router(row.channel.from, row.channel.port);
    table += fmt::format("{},{},{},{},{:.6g},{:.6g},{},{}\n", interval(row.interval), name, row.packets,
                         row.bytes, static_cast<double>(row.bytes) * 1e12 / length(row.interval),
                         static_cast<double>(row.busy) / length(row.interval),
                         csv_seconds(row.packets == 0 ? 0 : row.wait_sum / row.packets),
                         csv_seconds(row.wait_most));
  }
  links_.write(table);
  table = "time_s,router,port,from,vc,packets,bytes,occupancy,oldest_s\n";
  for (const net::Watch::BufferRow& row : watch.buffers())
    table +=
        fmt::format("{},{},{},{},{},{},{},{:.6g},{}\n", csv_seconds(row.time), row.router, row.port,
                    names.into(row.router, row.port), row.vc, row.packets, row.bytes,
                    static_cast<double>(row.bytes) / static_cast<double>(buffer), csv_seconds(row.oldest));
  buffers_.write(table);
  table = "begin_s,end_s,node,packets,bytes,bytes_per_s,latency_mean_s,latency_min_s,latency_max_s\n";
  for (const net::Watch::NodeRow& row : watch.nodes())
    table += fmt::format("{},{},{},{},{:.6g},{},{},{}\n", interval(row.interval), row.node, row.packets,
                         row.bytes, static_cast<double>(row.bytes) * 1e12 / length(row.interval),
                         csv_seconds(row.latency_sum / row.packets), csv_seconds(row.latency_least),
                         csv_seconds(row.latency_most));
  nodes_.write(table);
  for (OutputFile* file : {&links_, &buffers_, &nodes_}) file->commit();
}

}  // namespace psim
