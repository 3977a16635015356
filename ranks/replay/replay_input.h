// SPDX-License-Identifier: Apache-2.0
// `psim net --replay FILE`: the trace that runs in place of a program.
#pragma once

#include <memory>
#include <string>

#include "ranks/replay/trace.h"

namespace psim {

class ReplayInput {
 public:
  /// Reads an OTF2 archive (its anchor NAME.otf2, or its folder), Chakra execution traces (NAME.RANK.et, one
  /// of the files), a DUMPI trace (NAME.meta) or a schedule in GOAL text (any other file), and scales
  /// computing times and message lengths. `who`: the option, for errors. Throws UserError.
  ReplayInput(const std::string& path, double compute_scale, double message_scale,
              const std::string& who = "--replay");

  const net::replay::Trace& trace() const { return trace_; }
  double compute_scale() const { return compute_scale_; }
  double message_scale() const { return message_scale_; }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(trace_.ranks.size()); }
  /// Return the program of ranks that replays the trace, and its argument.
  std::string program() const;
  std::string argument() const { return replay_->argument(); }
  /// Returns the number of operations that ranks of this host process have begun.
  std::uint64_t begun() const { return replay_->begun(); }

 private:
  net::replay::Trace trace_;
  double compute_scale_, message_scale_;
  std::unique_ptr<net::replay::Replay> replay_;
};

}  // namespace psim
