// SPDX-License-Identifier: Apache-2.0
// The options of `psim net` on the command line, each group under its heading of the help.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "psim/net/program_options.h"
#include "psim/net/traffic_run.h"

namespace psim {

/// Puts the options declared from now on under this heading of the help.
void heading(CLI::App& app, const std::string& text);
void add_rank_options(CLI::App& app, ProgramOptions& program);
void add_other_inputs(CLI::App& app, ProgramOptions& program);
void add_seen_options(CLI::App& app, ProgramOptions& program, std::string& csv);
void add_traffic_options(CLI::App& app, TrafficOptions& traffic);

}  // namespace psim
