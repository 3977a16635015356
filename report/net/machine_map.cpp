// SPDX-License-Identifier: Apache-2.0
#include "report/net/machine_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/base64.h"

namespace psim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPickedLinks = 1'000;     ///< links with their sources
constexpr std::size_t kPickedSources = 8;       ///< of each
constexpr std::size_t kHistoryBytes = 900'000;  ///< of busy or low time
constexpr std::size_t kMostNames = 255;         ///< of owners, and of jobs: numbers have one byte

/// Returns `value` / `most` in whole parts of `parts`; a value that is not 0 has at least one.
template <class Number>
Number parts_of(double value, double most, double parts) {
  if (!(value > 0)) return 0;
  return static_cast<Number>(std::clamp(std::round(value / most * parts), 1.0, parts));
}

/// Returns the picture's places along one axis, as parts of its length.
std::string places(const std::vector<net::Drawing::Point>& points, float net::Drawing::Point::*axis,
                   float least, float length) {
  std::vector<std::uint16_t> numbers;
  for (const net::Drawing::Point& point : points)
    numbers.push_back(static_cast<std::uint16_t>(std::lround((point.*axis - least) / length * 65535)));
  return report::base64(numbers);
}

/// Returns three digits after the point.
double rounded(float value) { return std::round(double{value} * 1000) / 1000; }

/// Returns the names by number; the last one stands for all further ones.
std::vector<std::string> few_names(std::vector<std::string> names) {
  if (names.size() <= kMostNames) return names;
  const std::size_t further = names.size() - kMostNames;
  names.resize(kMostNames);
  names.back() += fmt::format(" and {} further jobs", further);
  return names;
}

/// Returns the ranks of a node: "rank 3", "solver: ranks 0–3", or the first ones.
std::string ranks_text(const TimelineOf& of, const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kNamed = 4;
  if (ranks.size() > 2 && ranks.back() - ranks.front() + 1 == ranks.size() &&
      of.job_of(ranks.front()) == of.job_of(ranks.back()))
    return fmt::format("{} to {}", of.called(ranks.front()), of.called(ranks.back()));
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ranks.size()); ++i)
    text += (i == 0 ? "" : ", ") + of.called(ranks[i]);
  return text + (ranks.size() > kNamed ? fmt::format(" and {} more", ranks.size() - kNamed) : "");
}

}  // namespace

MachineMap::MachineMap(const net::Network& network)
    : network_(network), router_of_channel_(network.graph.channels.size()) {
  for (std::uint32_t most = net::Drawing::kMostPoints;;) {
    drawing_ = network.drawing(network.graph, most);
    collect_links();
    const auto points = static_cast<std::uint32_t>(drawing_.points.size());
    if (links_.size() <= kMostLinks || points == 1 || points > most) return;
    // The number of lines grows at most with the square of that of points.
    const double fewer = std::sqrt(static_cast<double>(kMostLinks) / static_cast<double>(links_.size()));
    most = std::max(1u, std::min(points - 1, static_cast<std::uint32_t>(points * fewer)));
  }
}

/// Makes the lines of the picture.
void MachineMap::collect_links() {
  const net::Graph& graph = network_.graph;
  links_.clear();
  link_of_channel_.assign(graph.channels.size(), net::LinkHistory::kNoLink);
  const auto first_node = static_cast<std::uint32_t>(drawing_.points.size());
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> merged;
  const auto add = [&](std::uint32_t channel, Line line) {
    std::uint32_t number = static_cast<std::uint32_t>(links_.size());
    if (!drawing_.detailed())
      number = merged.emplace(std::tuple(line.from, line.to, line.kind), number).first->second;
    if (number == links_.size()) links_.push_back(std::move(line));
    links_[number].channels.push_back(channel);
    link_of_channel_[channel] = number;
  };
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const std::uint32_t number = graph.first_port[router] + port;
      const net::Channel& channel = graph.channels[number];
      router_of_channel_[number] = router;
      if (channel.to_router != net::Channel::kNowhere)
        add(number, {drawing_.point(router), drawing_.point(channel.to_router), channel.kind, {}});
    }
  if (drawing_.nodes.empty()) return;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port)
      add(graph.first_port[graph.node_router[node]] + graph.node_port[node] + port,
          {drawing_.point(graph.node_router[node]),
           first_node + node,
           static_cast<std::uint32_t>(graph.kinds.size()),
           {}});
}

Json MachineMap::drawing() const {
  std::vector<net::Drawing::Point> points = drawing_.points;
  points.insert(points.end(), drawing_.nodes.begin(), drawing_.nodes.end());
  net::Drawing::Point least = points[0], most = points[0];
  const auto include = [&](const net::Drawing::Point& point) {
    least = {std::min(least.x, point.x), std::min(least.y, point.y)};
    most = {std::max(most.x, point.x), std::max(most.y, point.y)};
  };
  for (const net::Drawing::Point& point : points) include(point);
  for (const net::Drawing::Box& box : drawing_.boxes) include(box.from), include(box.to);
  const float width = std::max(most.x - least.x, 1.0f), height = std::max(most.y - least.y, 1.0f);
  Json machine{{"form", drawing_.form},
               {"shape", network_.shape},
               {"routers", network_.graph.routers()},
               {"points", drawing_.points.size()},
               {"width", rounded(width)},
               {"height", rounded(height)},
               {"x", places(points, &net::Drawing::Point::x, least.x, width)},
               {"y", places(points, &net::Drawing::Point::y, least.y, height)},
               {"names", Json::array()},
               {"frames", Json::array()},
               {"kinds", Json::array()}};
  std::vector<std::uint32_t> members(drawing_.points.size());
  for (std::uint32_t router = 0; router < network_.graph.routers(); ++router)
    if (const std::uint32_t before = members[drawing_.point(router)]++; before == 0)
      machine["names"].push_back(fmt::format("{} {}", router, network_.router_name(router)));
  for (std::size_t i = 0; i < members.size(); ++i)
    if (members[i] > 1)
      machine["names"][i] =
          fmt::format("{} and {} near it", machine["names"][i].get<std::string>(), members[i] - 1);
  for (const net::Drawing::Box& box : drawing_.boxes)
    machine["frames"].push_back({rounded(box.from.x - least.x), rounded(box.from.y - least.y),
                                 rounded(box.to.x - box.from.x), rounded(box.to.y - box.from.y), box.label,
                                 box.round});
  for (std::size_t kind = 0; kind < network_.graph.kinds.size(); ++kind) {
    Json one{{"name", network_.graph.kinds[kind].name}};
    if (kind < drawing_.stubs.size() && drawing_.stubs[kind])
      one["line"] = {rounded(drawing_.stubs[kind]->x), rounded(drawing_.stubs[kind]->y)};
    machine["kinds"].push_back(std::move(one));
  }
  if (!drawing_.nodes.empty()) machine["kinds"].push_back({{"name", "to node"}});
  std::vector<std::uint16_t> from, to;
  std::vector<std::uint8_t> kinds;
  Json channels = Json::array();
  for (const Line& line : links_) {
    from.push_back(static_cast<std::uint16_t>(line.from));
    to.push_back(static_cast<std::uint16_t>(line.to));
    kinds.push_back(static_cast<std::uint8_t>(line.kind));
    channels.push_back(line.channels.size());
  }
  machine["links"] = links_.size();
  machine["from"] = report::base64(from);
  machine["to"] = report::base64(to);
  machine["kind"] = report::base64(kinds);
  if (!drawing_.detailed()) machine["channels"] = channels;
  return machine;
}

net::ChannelCount MachineMap::count(const Line& line, const net::Simulation& simulation) const {
  net::ChannelCount sum;
  for (const std::uint32_t channel : line.channels) {
    const std::uint32_t router = router_of_channel_[channel];
    const net::ChannelCount one =
        simulation.fabric().count(router, channel - network_.graph.first_port[router]);
    sum.busy += one.busy, sum.packets += one.packets, sum.bytes += one.bytes;
  }
  return sum;
}

Json MachineMap::totals(const net::Simulation& simulation) const {
  const double time = static_cast<double>(std::max<std::uint64_t>(1, simulation.last()));
  std::vector<double> loads;
  double most = 0;
  for (const Line& line : links_) {
    loads.push_back(std::min(1.0, static_cast<double>(count(line, simulation).busy) / time /
                                      static_cast<double>(line.channels.size())));
    most = std::max(most, loads.back());
  }
  std::vector<std::uint16_t> parts;
  for (const double load : loads) parts.push_back(parts_of<std::uint16_t>(load, most, 65535));
  return {{"most", most}, {"total", report::base64(parts)}};
}

Json MachineMap::over_time(const net::LinkHistory& history, const net::Simulation& simulation,
                           const TimelineOf& ranks, const std::vector<std::string>& names) const {
  using net::LinkHistory;
  std::uint32_t joined = 1;  // slices in one of the page
  while (joined < 8 && links_.size() * (LinkHistory::kSlices / joined) > kHistoryBytes) joined *= 2;
  const std::uint64_t width = history.slice() * joined, end = std::max<std::uint64_t>(1, simulation.last());
  const auto slices = static_cast<std::uint32_t>((end + width - 1) / width);
  const auto share = [&](const auto& sums, std::uint32_t slice, const Line& line) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = slice * joined; i < std::min((slice + 1) * joined, LinkHistory::kSlices); ++i)
      sum += sums[i];
    const std::uint64_t length = std::min(end, (slice + 1) * width) - slice * width;
    return std::min(1.0, static_cast<double>(sum) / static_cast<double>(length) /
                             static_cast<double>(line.channels.size()));
  };
  double most = 0;
  bool sleeps = false;
  for (std::uint32_t i = 0; i < links_.size(); ++i)
    if (const LinkHistory::Link* const link = history.link(i); link != nullptr) {
      for (std::uint32_t slice = 0; slice < slices; ++slice)
        most = std::max(most, share(link->busy, slice, links_[i]));
      sleeps = sleeps || !link->low.empty();
    }
  std::vector<std::uint8_t> busy(links_.size() * slices), low(sleeps ? busy.size() : 0),
      owners(links_.size());
  struct Used {
    std::uint32_t link;
    net::ChannelCount count;
  };
  std::vector<Used> used;
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    const LinkHistory::Link* const link = history.link(i);
    if (link == nullptr) continue;
    for (std::uint32_t slice = 0; slice < slices; ++slice) {
      const std::size_t at = std::size_t{i} * slices + slice;
      busy[at] = parts_of<std::uint8_t>(share(link->busy, slice, links_[i]), most, 255);
      if (!link->low.empty()) low[at] = parts_of<std::uint8_t>(share(link->low, slice, links_[i]), 1, 255);
    }
    if (!link->of_owner.empty())
      owners[i] =
          static_cast<std::uint8_t>(std::ranges::max_element(link->of_owner) - link->of_owner.begin());
    if (const net::ChannelCount carried = count(links_[i], simulation); carried.packets != 0)
      used.push_back({i, carried});
  }
  Json json{{"slices", slices},
            {"slice_ps", width},
            {"end_ps", end},
            {"most", most},
            {"busy", report::base64(busy)},
            {"picked", Json::array()},
            {"ranks", Json::object()}};
  if (sleeps) json["low"] = report::base64(low);
  if (!names.empty()) {
    json["names"] = few_names(names);
    json["owner"] = report::base64(owners);
  }
  std::ranges::stable_sort(used, std::ranges::greater{}, [](const Used& one) { return one.count.busy; });
  if (used.size() > kPickedLinks) used.resize(kPickedLinks);
  std::map<std::uint32_t, std::vector<std::uint32_t>> ranks_of;
  for (const Used& one : used) {
    std::vector<LinkHistory::Source> sources;
    for (const LinkHistory::Source& source : history.link(one.link)->sources)
      if (source.bytes > source.over) sources.push_back(source);
    std::ranges::stable_sort(sources, std::ranges::greater{},
                             [](const LinkHistory::Source& source) { return source.bytes - source.over; });
    if (sources.size() > kPickedSources) sources.resize(kPickedSources);
    Json rows = Json::array();
    for (const LinkHistory::Source& source : sources) {
      rows.push_back({source.node, source.bytes, source.over});
      ranks_of[source.node];
    }
    json["picked"].push_back(
        {{"link", one.link}, {"packets", one.count.packets}, {"bytes", one.count.bytes}, {"sources", rows}});
  }
  for (std::uint32_t rank = 0; rank < ranks.nodes.size(); ++rank)
    if (const auto found = ranks_of.find(ranks.nodes[rank]); found != ranks_of.end())
      found->second.push_back(rank);
  for (const auto& [node, all] : ranks_of)
    if (!all.empty()) json["ranks"][std::to_string(node)] = ranks_text(ranks, all);
  if (!ranks.jobs.empty() && !ranks.jobs[0].name.empty()) {
    // Nodes of jobs are coloured by their first job.
    std::vector<std::uint8_t> jobs(drawing_.points.size() + drawing_.nodes.size());
    for (std::uint32_t rank = ranks.ranks(); rank-- != 0;) {
      const auto job = static_cast<std::uint8_t>(std::min<std::size_t>(ranks.job_of(rank) + 1, kMostNames));
      jobs[drawing_.point(network_.graph.node_router[ranks.nodes[rank]])] = job;
      if (!drawing_.nodes.empty()) jobs[drawing_.points.size() + ranks.nodes[rank]] = job;
    }
    json["job_of_point"] = report::base64(jobs);
    std::vector<std::string> all;
    for (const TimelineOf::Job& job : ranks.jobs) all.push_back(job.name);
    json["jobs"] = few_names(std::move(all));
  }
  return json;
}

}  // namespace psim
