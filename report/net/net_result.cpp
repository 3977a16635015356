// SPDX-License-Identifier: Apache-2.0
#include "report/net/net_result.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/console.h"
#include "report/net/link_energy_result.h"
#include "report/net/poll_result.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

double as_seconds(std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; }

/// The sums over the channels of one kind.
struct KindSum {
  std::uint64_t channels = 0, busy = 0, packets = 0, bytes = 0, most_busy = 0;
  void add(const net::ChannelCount& count) {
    ++channels;
    busy += count.busy;
    packets += count.packets;
    bytes += count.bytes;
    most_busy = std::max(most_busy, count.busy);
  }
  double mean(std::uint64_t time) const {
    return channels == 0 || time == 0
               ? 0
               : static_cast<double>(busy) / static_cast<double>(channels) / static_cast<double>(time);
  }
  /// Returns the mean of a channel.
  double bytes_per_second(std::uint64_t time) const {
    return channels == 0 || time == 0
               ? 0
               : static_cast<double>(bytes) / static_cast<double>(channels) / as_seconds(time);
  }
  double most(std::uint64_t time) const {
    return time == 0 ? 0 : static_cast<double>(most_busy) / static_cast<double>(time);
  }
};

void add_links(ordered_json& body, const net::Graph& graph, const net::Fabric& fabric, std::uint64_t time) {
  std::vector<KindSum> kinds(graph.kinds.size());
  KindSum all;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const net::Channel& channel = graph.channel(router, port);
      if (channel.to_router == net::Channel::kNowhere) continue;
      const net::ChannelCount count = fabric.count(router, port);
      kinds[channel.kind].add(count);
      all.add(count);
    }
  ordered_json& links = body["links"];
  links["count"] = all.channels;
  links["bytes"] = all.bytes;
  links["mean_bytes_per_second"] = all.bytes_per_second(time);
  links["mean_utilization"] = all.mean(time);
  links["max_utilization"] = all.most(time);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].channels == 0) continue;
    ordered_json& kind = links["kinds"][graph.kinds[i].name];
    kind["count"] = kinds[i].channels;
    kind["packets"] = kinds[i].packets;
    kind["bytes"] = kinds[i].bytes;
    kind["mean_bytes_per_second"] = kinds[i].bytes_per_second(time);
    kind["mean_utilization"] = kinds[i].mean(time);
    kind["max_utilization"] = kinds[i].most(time);
  }
}

/// Adds the traffic that nodes received.
void add_nodes(ordered_json& body, const net::Graph& graph, const net::Simulation& simulation) {
  const auto add = [&](const char* key, std::uint64_t NodeTraffic::*member) {
    std::uint64_t sum = 0, least = ~std::uint64_t{0}, most = 0;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
      const std::uint64_t value = node_traffic(graph, simulation, node).*member;
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    body["nodes"][key] = {{"mean", static_cast<double>(sum) / graph.nodes()}, {"min", least}, {"max", most}};
  };
  add("packets_received", &NodeTraffic::packets_received);
  add("bytes_received", &NodeTraffic::bytes_received);
}

std::uint64_t channels_of(const net::Graph& graph, std::size_t kind) {
  std::uint64_t count = 0;
  for (const net::Channel& channel : graph.channels)
    count += channel.kind == kind && channel.to_router != net::Channel::kNowhere;
  return count;
}

}  // namespace

void add_timeline(ordered_json& body, const net::Graph& graph, const net::Simulation& simulation) {
  const net::TimeBins& busy = simulation.fabric().busy();
  ordered_json& timeline = body["timeline"];
  timeline["bin_seconds"] = as_seconds(busy.width());
  const std::uint64_t bins =
      std::min<std::uint64_t>(net::TimeBins::kMost, simulation.last() / busy.width() + 1);
  for (std::uint32_t kind = 0; kind < busy.series(); ++kind) {
    const std::uint64_t channels = channels_of(graph, kind);
    if (channels == 0) continue;
    ordered_json& series = timeline["link_utilization"][graph.kinds[kind].name];
    for (std::uint32_t bin = 0; bin < bins; ++bin)
      series.push_back(static_cast<double>(busy.at(kind, bin)) /
                       static_cast<double>(channels * busy.width()));
  }
  for (const net::OccupancySeries::Sample& sample : simulation.occupancy().samples())
    timeline["buffer_occupancy"].push_back(
        {{"seconds", as_seconds(sample.time)}, {"channels", sample.classes}});
}

NodeTraffic node_traffic(const net::Graph& graph, const net::Simulation& simulation, std::uint32_t node) {
  NodeTraffic traffic;
  for (std::uint32_t port = 0; port < graph.node_ports; ++port) {
    const net::ChannelCount &sent = simulation.interfaces().sent(node, port),
                            looped = simulation.interfaces().looped(node, port),
                            ejected = simulation.fabric().count(graph.node_router[node],
                                                                graph.node_port[node] + port);
    traffic.packets_sent += sent.packets;
    traffic.bytes_sent += sent.bytes;
    traffic.packets_received += ejected.packets + looped.packets;
    traffic.bytes_received += ejected.bytes + looped.bytes;
  }
  return traffic;
}

void add_network(ordered_json& body, const net::Network& network, const net::Simulation& simulation) {
  const net::PacketCount& received = simulation.interfaces().received();
  body["seconds"] = as_seconds(simulation.last());
  body["messages"] = simulation.interfaces().messages();
  body["packets"] = received.packets;
  body["packet_hops"] = simulation.fabric().packet_hops();
  ordered_json& topology = body["topology"];
  topology["shape"] = network.shape;
  topology["routing"] = network.routing_name;
  topology["routers"] = network.graph.routers();
  topology["nodes"] = network.graph.nodes();
  if (network.idle != 0) topology["idle_nodes"] = network.idle;
  ordered_json& latency = body["packet_latency"];
  latency["mean"] =
      received.packets == 0 ? 0.0 : as_seconds(received.latency_sum) / static_cast<double>(received.packets);
  latency["median"] = as_seconds(received.latency.quantile(0.5));
  latency["p99"] = as_seconds(received.latency.quantile(0.99));
  latency["max"] = as_seconds(received.latency_most);
  // Writes the upper ends of classes and the packets in them; empty classes are left out.
  for (std::uint32_t i = 0; i < net::LatencyHistogram::kClasses; ++i)
    if (received.latency.count(i) != 0)
      latency["histogram"].push_back({as_seconds(net::LatencyHistogram::end(i)), received.latency.count(i)});
  if (const net::NetworkInterfaces& interfaces = simulation.interfaces(); interfaces.counts_dma())
    body["dma"] = {{"read_seconds", as_seconds(interfaces.dma().read)},
                   {"write_seconds", as_seconds(interfaces.dma().write)}};
  add_links(body, network.graph, simulation.fabric(), simulation.last());
  add_nodes(body, network.graph, simulation);
  add_timeline(body, network.graph, simulation);
}

ordered_json per_rank(const std::vector<const net::Job*>& jobs) {
  const auto sums = [&](auto member) {
    std::uint64_t sum = 0, least = ~std::uint64_t{0}, most = 0, ranks = 0;
    for (const net::Job* job : jobs)
      for (const net::RankTime& time : job->results.times) {
        sum += time.*member;
        least = std::min(least, time.*member);
        most = std::max(most, time.*member);
        ++ranks;
      }
    ordered_json result;
    result["mean"] = as_seconds(sum) / static_cast<double>(ranks);
    result["min"] = as_seconds(least);
    result["max"] = as_seconds(most);
    return result;
  };
  ordered_json result;
  result["compute"] = sums(&net::RankTime::compute);
  result["overhead"] = sums(&net::RankTime::overhead);
  result["transfer"] = sums(&net::RankTime::transfer);
  result["wait"] = sums(&net::RankTime::wait);
  result["end"] = sums(&net::RankTime::ended);
  return result;
}

namespace {

void add_rdma(ordered_json& body, const net::rdma::Counts& counts) {
  if (counts.none()) return;
  body["rdma"] = {{"puts", counts.puts},
                  {"gets", counts.gets},
                  {"own", counts.own},
                  {"copies", counts.copies},
                  {"atomics", counts.atomics},
                  {"one_sided", counts.one_sided},
                  {"bytes", counts.bytes},
                  {"control_packets", counts.control_packets},
                  {"control_bytes", counts.control_bytes},
                  {"data_messages", counts.data_messages},
                  {"data_bytes", counts.data_bytes},
                  {"registrations", counts.registrations},
                  {"registered_bytes", counts.registered_bytes},
                  {"most_under_way", counts.most_under_way},
                  {"most_open", counts.most_open}};
}

}  // namespace

void add_ranks(ordered_json& body, const net::RankLoad& load) {
  std::vector<const net::Job*> jobs;
  for (const auto& job : load.jobs()) jobs.push_back(job.get());
  body["ranks"] = load.ranks();
  body["per_rank"] = per_rank(jobs);
  add_rdma(body, load.rdma());
}

void add_sharing(ResultDocument& result, const net::Sharing& sharing, std::uint32_t processes) {
  ordered_json& host = result.host();
  result.others(sharing.others_cpu_seconds, sharing.others_rss_bytes);
  host["processes"] = processes;
  if (processes == 1) return;
  const double mean = sharing.busy_seconds / processes;
  ordered_json& windows = host["windows"];
  windows["count"] = sharing.windows;
  windows["imbalance"] = mean == 0 ? 0 : sharing.most_busy / mean - 1;
  windows["wait_share"] = sharing.wait_seconds / (sharing.busy_seconds + sharing.wait_seconds);
}

void add_bytes_per_rank(ordered_json& host, const net::Sharing& sharing, std::uint32_t ranks) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const std::uint64_t all = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 + sharing.others_rss_bytes;
  host["bytes_per_rank"] = all / ranks;
}

std::string uncounted_computing(const ordered_json& body, const ordered_json& host) {
  if (!host.contains("program_seconds") || !body.contains("per_rank")) return "";
  if (body["per_rank"]["compute"]["max"].get<double>() > 0) return "";
  if (body.contains("compute") && body["compute"]["mode"] != "stated") return "";  // see coverage()
  const auto took = host["program_seconds"].get<double>();
  const std::string length = took < 0.1 ? "less than 0.1 s" : fmt::format("{:.1f} s", took);
  return fmt::format("the program computed {} on this host, which counted as 0", length);
}

void print_network(const ordered_json& body, const ordered_json& host) {
  const auto number = [](const ordered_json& value) { return value.get<double>(); };
  const bool analytic = body["machine"]["network"]["model"] == "analytic";
  const auto messages = body["messages"].get<std::uint64_t>();
  if (analytic)
    console::log("{:.9f} s simulated, {} messages on the analytic network\n", number(body["seconds"]),
                 messages);
  else
    console::log("{:.9f} s simulated, {} messages, {} packets, {} packet-hops\n", number(body["seconds"]),
                 messages, body["packets"].get<std::uint64_t>(), body["packet_hops"].get<std::uint64_t>());
  const ordered_json& topology = body["topology"];
  const std::string idle = topology.contains("idle_nodes")
                               ? fmt::format(" ({} idle)", topology["idle_nodes"].get<std::uint64_t>())
                               : "";
  if (!analytic)
    console::log("{} routers, {} nodes{}: {} {}, {} routing; links busy {:.1f} % (the busiest {:.1f} %)\n",
                 topology["routers"].get<std::uint64_t>(), topology["nodes"].get<std::uint64_t>(), idle,
                 body["machine"]["topology"]["kind"].get<std::string>(), topology["shape"].get<std::string>(),
                 topology["routing"].get<std::string>(), 100 * number(body["links"]["mean_utilization"]),
                 100 * number(body["links"]["max_utilization"]));
  if (body.contains("per_rank"))
    console::log("{} ranks, on average: computing {:.3g} s, in transfers {:.3g} s, waiting {:.3g} s\n",
                 body["ranks"].get<std::uint64_t>(), number(body["per_rank"]["compute"]["mean"]),
                 number(body["per_rank"]["transfer"]["mean"]), number(body["per_rank"]["wait"]["mean"]));
  console::log("{}", polls_line(body));
  if (body.contains("rdma")) {
    const ordered_json& rdma = body["rdma"];
    const auto n = [&](const char* key) { return rdma[key].get<std::uint64_t>(); };
    console::log(
        "remote memory: {} puts, {} gets, {} other copies, {} atomic and {} one-sided operations; {} control "
        "packets; at most {} under way\n",
        n("puts"), n("gets"), n("own") + n("copies"), n("atomics"), n("one_sided"), n("control_packets"),
        n("most_under_way"));
  }
  if (body.contains("link_energy")) console::log("{}", link_energy_lines(body));
  if (host.contains("windows"))
    console::log(
        "{} host processes: {} windows, {:.1f} % of their time waiting, the busiest {:.1f} % above "
        "the mean\n",
        host["processes"].get<std::uint64_t>(), host["windows"]["count"].get<std::uint64_t>(),
        100 * number(host["windows"]["wait_share"]), 100 * number(host["windows"]["imbalance"]));
  if (const std::string text = uncounted_computing(body, host); !text.empty())
    console::log("{}; see --compute and MGEN_Comp in docs/net.md\n", text);
  if (body.contains("not_repeatable"))
    console::log("not repeatable: {}\n", body["not_repeatable"].get<std::string>());
  const std::string each = host.contains("bytes_per_rank")
                               ? fmt::format(", {:.1f} KiB per rank", number(host["bytes_per_rank"]) / 1024)
                               : "";
  const double speed = analytic ? static_cast<double>(messages) / std::max(number(host["cpu_seconds"]), 1e-6)
                                : number(host["packet_hops_per_second"]);
  console::log("{:.2f} s of processor time, {:.2f} M {} per second, {} MiB{}\n", number(host["cpu_seconds"]),
               speed * 1e-6, analytic ? "messages" : "packet-hops",
               host["peak_rss_bytes"].get<std::uint64_t>() >> 20, each);
}

}  // namespace psim
