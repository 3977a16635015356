// SPDX-License-Identifier: Apache-2.0
// The stage dump of one core of psim cosim: --kanata, --dump-node and --window.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "cosim/cosim_run.h"
#include "cosim/scenario.h"
#include "report/dump/stage_dump.h"

namespace psim::commands {

struct NodeDumpOptions {
  std::string kanata, node, window;
};
/// Declares --kanata, --dump-node and --window.
void add_node_dump(CLI::App& app, NodeDumpOptions& options);

class NodeDump {
 public:
  /// Returns the dump of a run in this number of host processes; nothing without --kanata. Throws UserError.
  static std::unique_ptr<NodeDump> make(const NodeDumpOptions& options, const Scenario& scenario,
                                        std::uint32_t processes);
  /// Returns the core to observe. This must outlive the run.
  ObservedCore core();
  /// Completes the file after the run, and reports a window that never opened.
  void finish();

 private:
  NodeDump() = default;

  pipeline::dump::StageDump dump_;
  ObservedCore core_;
};

}  // namespace psim::commands
