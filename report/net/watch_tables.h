// SPDX-License-Identifier: Apache-2.0
// `psim net --csv FOLDER --observe-routers … --observe-links …`: the traffic of chosen routers and links over
// time, as observed_links.csv, observed_buffers.csv and observed_nodes.csv in the folder.
#pragma once

#include <string>

#include "base/output_file.h"
#include "netsim/statistics/watch.h"

namespace psim {

class WatchTables {
 public:
  /// Opens the files in the existing folder. Throws UserError if one cannot be written.
  explicit WatchTables(const std::string& folder);
  void write(const net::Graph& graph, const net::Watch& watch, std::uint64_t buffer);

 private:
  OutputFile links_, buffers_, nodes_;
};

}  // namespace psim
