// SPDX-License-Identifier: Apache-2.0
#include "report/net/net_tables.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "report/net/compute_result.h"
#include "report/net/link_energy_result.h"
#include "report/net/net_result.h"

namespace psim {
namespace {

/// Returns a table with a row per bin: the load of the links of each direction, packets and messages, and the
/// number of virtual channels of each fill level at the last sample before the bin's end.
std::string time_table(const net::Graph& graph, const net::Simulation& simulation) {
  const net::TimeBins &busy = simulation.fabric().busy(), &flow = simulation.interfaces().flow();
  std::vector<std::uint64_t> channels(graph.kinds.size());
  for (const net::Channel& channel : graph.channels)
    if (channel.to_router != net::Channel::kNowhere) ++channels[channel.kind];
  std::string table = "begin_s,end_s,packets_received,messages_sent";
  for (std::size_t kind = 0; kind < channels.size(); ++kind)
    if (channels[kind] != 0) table += fmt::format(",busy {}", graph.kinds[kind].name);
  for (int c = 0; c < 10; ++c) table += fmt::format(",buffers {}-{} %", 10 * c, 10 * c + 10);
  table += "\n";
  // Bins are widths of powers of two; the wider of the two series sets the rows.
  const std::uint64_t width = std::max(busy.width(), flow.width());
  const auto sum = [&](const net::TimeBins& bins, std::uint32_t series, std::uint64_t row) {
    const std::uint64_t each = width / bins.width();
    std::uint64_t total = 0;
    for (std::uint64_t i = row * each; i < std::min<std::uint64_t>((row + 1) * each, net::TimeBins::kMost);
         ++i)
      total += bins.at(series, static_cast<std::uint32_t>(i));
    return total;
  };
  const auto& samples = simulation.occupancy().samples();
  std::size_t sample = 0;
  for (std::uint64_t row = 0; row <= simulation.last() / width && row < net::TimeBins::kMost; ++row) {
    const std::uint64_t end = (row + 1) * width;
    table += fmt::format("{},{},{},{}", csv_seconds(row * width), csv_seconds(end), sum(flow, 0, row),
                         sum(flow, 1, row));
    for (std::uint32_t kind = 0; kind < channels.size(); ++kind)
      if (channels[kind] != 0)
        table += fmt::format(",{:.6g}", static_cast<double>(sum(busy, kind, row)) /
                                            static_cast<double>(channels[kind] * width));
    while (sample + 1 < samples.size() && samples[sample + 1].time < end) ++sample;
    for (std::size_t c = 0; c < 10; ++c)
      table += samples.empty() ? std::string(",") : fmt::format(",{}", samples[sample].classes[c]);
    table += "\n";
  }
  return table;
}

std::string link_table(const net::Graph& graph, const net::Simulation& simulation) {
  std::string table = "router,port,direction,to_router,node,packets,bytes,busy_s,utilization,bytes_per_s\n";
  const double time = static_cast<double>(std::max<std::uint64_t>(1, simulation.last()));
  const LinkNames names(graph);
  const auto add = [&](const std::string& name, const net::ChannelCount& count) {
    table +=
        fmt::format("{},{},{},{},{:.6g},{:.6g}\n", name, count.packets, count.bytes, csv_seconds(count.busy),
                    static_cast<double>(count.busy) / time, static_cast<double>(count.bytes) * 1e12 / time);
  };
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port)
      add(names.from_router(router, port), simulation.fabric().count(router, port));
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port)
      add(names.from_node(node, port), simulation.interfaces().sent(node, port));
  return table;
}

std::string node_table(const net::Graph& graph, const net::Simulation& simulation) {
  std::string table = "node,router,packets_sent,bytes_sent,packets_received,bytes_received\n";
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    const NodeTraffic traffic = node_traffic(graph, simulation, node);
    table += fmt::format("{},{},{},{},{},{}\n", node, graph.node_router[node], traffic.packets_sent,
                         traffic.bytes_sent, traffic.packets_received, traffic.bytes_received);
  }
  return table;
}

}  // namespace

std::string csv_seconds(std::uint64_t ps) {
  return fmt::format("{}.{:012}", ps / 1'000'000'000'000, ps % 1'000'000'000'000);
}

LinkNames::LinkNames(const net::Graph& graph) : graph_(graph), first_node_(graph.routers() + 1) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) ++first_node_[graph.node_router[node] + 1];
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    first_node_[router + 1] += first_node_[router];
}

std::uint32_t LinkNames::node_of(std::uint32_t router, std::uint32_t port) const {
  const std::uint32_t first = first_node_[router];
  return first + (port - graph_.node_port[first]) / graph_.node_ports;
}

std::string LinkNames::from_router(std::uint32_t router, std::uint32_t port) const {
  const net::Channel& channel = graph_.channel(router, port);
  if (channel.to_router == net::Channel::kNowhere)
    return fmt::format("{},{},to-node,,{}", router, port, node_of(router, port));
  return fmt::format("{},{},{},{},", router, port, graph_.kinds[channel.kind].name, channel.to_router);
}

std::string LinkNames::from_node(std::uint32_t node, std::uint32_t port) const {
  return fmt::format("{},{},from-node,,{}", graph_.node_router[node], graph_.node_port[node] + port, node);
}

std::string LinkNames::into(std::uint32_t router, std::uint32_t port) const {
  const net::Channel& channel = graph_.channel(router, port);
  return channel.to_router == net::Channel::kNowhere ? fmt::format("node {}", node_of(router, port))
                                                     : fmt::format("router {}", channel.to_router);
}

OutputFolder::OutputFolder(const std::string& path, const char* option) : path_(path) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path part = path; !part.empty() && !fs::exists(part, error); part = part.parent_path())
    created_.push_back(part);
  fs::create_directories(path, error);
  if (error)
    throw UserError(fmt::format("{} {}: cannot be created as a folder: {}", option, path, error.message()));
}

OutputFolder::~OutputFolder() {
  std::error_code error;  // a folder with files stays
  for (const std::filesystem::path& part : created_) std::filesystem::remove(part, error);
}

NetTables::NetTables(const std::string& folder)
    : folder_(folder, "--csv"),
      time_(folder + "/time.csv", "--csv"),
      links_(folder + "/links.csv", "--csv"),
      nodes_(folder + "/nodes.csv", "--csv"),
      ranks_(folder + "/ranks.csv", "--csv"),
      latency_(folder + "/latency.csv", "--csv") {}

void NetTables::add_energy(const energy::LinkPower& power) {
  power_ = power;
  energy_.emplace(folder_.path() + "/link_energy.csv", "--csv");
}

void NetTables::write(const net::Network& network, const net::Simulation& simulation,
                      const net::RankLoad& load) {
  time_.write(time_table(network.graph, simulation));
  links_.write(link_table(network.graph, simulation));
  nodes_.write(node_table(network.graph, simulation));
  const bool several = !load.jobs()[0]->config().name.empty();
  std::string table = several ? "job," : "";
  table += "rank,node,compute_s,overhead_s,transfer_s,wait_s,end_s\n";
  for (const auto& job : load.jobs())
    for (std::uint32_t rank = 0; rank < job->ranks(); ++rank) {
      const net::RankTime& time = job->results.times[rank];
      if (several) table += job->config().name + ",";
      table += fmt::format("{},{},{},{},{},{},{}\n", rank, job->node_of(rank), csv_seconds(time.compute),
                           csv_seconds(time.overhead), csv_seconds(time.transfer), csv_seconds(time.wait),
                           csv_seconds(time.ended));
    }
  ranks_.write(table);
  table = "below_s,packets\n";
  const net::LatencyHistogram& latency = simulation.interfaces().received().latency;
  for (std::uint32_t i = 0; i < net::LatencyHistogram::kClasses; ++i)
    if (latency.count(i) != 0)
      table += fmt::format("{},{}\n", csv_seconds(net::LatencyHistogram::end(i)), latency.count(i));
  latency_.write(table);
  for (OutputFile* file : {&time_, &links_, &nodes_, &ranks_, &latency_}) file->commit();
  if (const std::string regions = region_table(load); !regions.empty()) {
    OutputFile file(folder_.path() + "/regions.csv", "--csv");
    file.write(regions);
    file.commit();
  }
  if (!energy_) return;
  const energy::LinkEnergy energy(*simulation.sleep(), network.graph, power_);
  energy_->write(link_energy_table(*simulation.sleep(), network.graph, energy));
  energy_->commit();
}

}  // namespace psim
