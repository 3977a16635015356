// SPDX-License-Identifier: Apache-2.0
// The data of the picture of a machine: where its routers are, its links, and their load in total and over
// time. web/machine_map.js draws it. Arrays with a number for each link or point are base64 of 1 or 2 bytes
// each.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "netsim/simulation.h"
#include "netsim/statistics/link_history.h"
#include "netsim/topology/topology.h"
#include "report/timeline/timeline_file.h"

namespace psim {

class MachineMap {
 public:
  /// A picture has at most this number of lines, so that its page and its history stay small; a machine with
  /// more links is drawn with fewer points.
  static constexpr std::size_t kMostLinks = 100'000;

  /// `network` must outlive this.
  explicit MachineMap(const net::Network& network);

  /// Returns an empty history of the links, for Simulation::attach().
  net::LinkHistory history() const { return {link_of_channel_, static_cast<std::uint32_t>(links_.size())}; }
  std::size_t links() const { return links_.size(); }
  /// Returns the link of a channel of the graph.
  std::uint32_t link(std::uint32_t channel) const { return link_of_channel_[channel]; }
  /// Returns whether results of the network have its picture also without a page: it takes below 10 kB.
  static bool is_small(const net::Graph& graph) { return graph.channels.size() <= 512; }

  /// Returns the key `machine` of a result's page: form, shape, routers, routers_a_point, x and y of points
  /// with the picture's size, names, frames, kinds of links with their lines, from and to of links as points,
  /// and their kinds. Of several channels that are one line, `channels` has the number.
  nlohmann::ordered_json drawing() const;
  /// Returns the load of links over the whole run: `total`, in parts of `most` / 65535.
  nlohmann::ordered_json totals(const net::Simulation& simulation) const;
  /// Returns the load of links over time, after gather(): `busy`, by link and slice in parts of `most` / 255,
  /// `low` likewise in parts of 1 / 255, and the sources of the links that carried most. If the packets have
  /// owners, also the owner of most bytes of each link, from 1 on: `names`. `ranks` has the node of each
  /// rank.
  nlohmann::ordered_json over_time(const net::LinkHistory& history, const net::Simulation& simulation,
                                   const TimelineOf& ranks, const std::vector<std::string>& names) const;

 private:
  /// The channels of one line.
  struct Line {
    std::uint32_t from = 0, to = 0, kind = 0;  ///< points
    std::vector<std::uint32_t> channels;
  };
  void collect_links();
  net::ChannelCount count(const Line& line, const net::Simulation& simulation) const;

  const net::Network& network_;
  net::Drawing drawing_;
  std::vector<Line> links_;
  std::vector<std::uint32_t> link_of_channel_, router_of_channel_;
};

}  // namespace psim
