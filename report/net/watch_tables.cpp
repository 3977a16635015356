// SPDX-License-Identifier: Apache-2.0
#include "report/net/watch_tables.h"

#include <fmt/format.h>

#include "report/net/net_tables.h"

namespace psim {

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
