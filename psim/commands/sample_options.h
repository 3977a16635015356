// SPDX-License-Identifier: Apache-2.0
// The options of psim run --sample, which measures units of a program and estimates the whole
// (docs/sampling.md).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

#include "psim/commands/core_run.h"

namespace psim::commands {

struct SampleOptions {
  bool sample = false;
  std::uint64_t period = 0;  ///< 0: by `error`
  std::uint64_t unit = 1'000, warm_up = 1'000, seed = 1;
  std::string error = "2%";
  std::string save_warm, from_warm;  ///< files or folders; empty: none
  const CLI::App* app = nullptr;

  /// Returns true if one of the options was given.
  bool requested() const;
  /// Returns --sample-error as a fraction.
  double requested_error() const;
};
/// Declares --sample and the options that begin with it. `options` outlives the parse.
void add_sample_options(CLI::App& app, SampleOptions& options);
/// Throws UserError for options that contradict each other, or `core`, whose outputs may need every cycle.
void check_sample_options(const SampleOptions& options, const CoreRunOptions& core);

}  // namespace psim::commands
