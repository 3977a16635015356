// SPDX-License-Identifier: Apache-2.0
// `psim net --csv`: a run's numbers as tables in a folder: time.csv, links.csv, nodes.csv, ranks.csv,
// latency.csv and, if links may sleep, link_energy.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "energy/link_energy.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// Returns seconds, exact to the picosecond.
std::string csv_seconds(std::uint64_t ps);

/// The names of channels in tables: "router,port,direction,to_router,node". The port is the router's, in both
/// directions of a link with a node, which are called to-node and from-node.
class LinkNames {
 public:
  explicit LinkNames(const net::Graph& graph);
  std::string from_router(std::uint32_t router, std::uint32_t port) const;
  std::string from_node(std::uint32_t node, std::uint32_t port) const;
  /// Returns the sender to a router at a port: "router 3", "node 5".
  std::string into(std::uint32_t router, std::uint32_t port) const;

 private:
  /// Returns the node whose channel to the router ends at this port.
  std::uint32_t node_of(std::uint32_t router, std::uint32_t port) const;

  const net::Graph& graph_;
  std::vector<std::uint32_t> first_node_;  ///< by router
};

/// A folder for files. If it was created here and nothing is in it at the end, it is removed again.
class OutputFolder {
 public:
  /// `option` names the option, "--csv". Throws UserError.
  OutputFolder(const std::string& path, const char* option);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::filesystem::path> created_;  ///< the innermost first
};

class NetTables {
 public:
  /// Creates the folder if it is missing, and checks that the files can be written. Throws UserError.
  explicit NetTables(const std::string& folder);
  /// Requests link_energy.csv with these powers. Call it before write().
  void add_energy(const energy::LinkPower& power);
  void write(const net::Network& network, const net::Simulation& simulation, const net::RankLoad& load);

 private:
  OutputFolder folder_;
  OutputFile time_, links_, nodes_, ranks_, latency_;
  std::optional<OutputFile> energy_;
  energy::LinkPower power_;
};

}  // namespace psim
