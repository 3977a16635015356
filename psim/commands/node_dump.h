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
#include "report/run_history.h"

namespace psim::commands {

struct NodeDumpOptions {
  std::string kanata, node, window;
};
/// Declares --kanata, --dump-node and --window.
void add_node_dump(CLI::App& app, NodeDumpOptions& options);

class NodeDump {
 public:
  /// Returns the dump of a run in this number of host processes; nothing without --kanata, or a window and a
  /// page (`shown`). Throws UserError.
  static std::unique_ptr<NodeDump> make(const NodeDumpOptions& options, const Scenario& scenario,
                                        std::uint32_t processes, bool shown);
  /// Returns the core to observe. This must outlive the run.
  ObservedCore core();
  /// Adds the stage view of the window to the page of the result, if it is shown: `stages`, and `stages_of`,
  /// the message whose window it is.
  void add_to(nlohmann::ordered_json& page) const;
  /// Completes the file after the run, and reports a window that never opened.
  void finish();

 private:
  NodeDump() = default;

  pipeline::dump::StageDump dump_;
  ObservedCore core_;
  std::optional<report::StageView> stages_;  ///< nothing: not shown
  std::string message_;                      ///< "0.17", if the window is a message's
};

}  // namespace psim::commands
