// SPDX-License-Identifier: Apache-2.0
// `psim net --csv`: a run's numbers as tables in a folder: time.csv, links.csv, ranks.csv, latency.csv
// and, of links that may sleep, link_energy.csv.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/output_file.h"
#include "energy/link_energy.h"
#include "netsim/job/rank_load.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"

namespace psim {

class NetTables {
 public:
  /// Makes the folder if it is not there, and sees that the files can be written. Throws UserError.
  explicit NetTables(const std::string& folder);
  /// Before write(): link_energy.csv is wanted, with these powers.
  void add_energy(const energy::LinkPower& power);
  void write(const net::Network& network, const net::Simulation& simulation, const net::RankLoad& load);

 private:
  std::string folder_;
  OutputFile time_, links_, ranks_, latency_;
  std::optional<OutputFile> energy_;
  energy::LinkPower power_;
};

}  // namespace psim
