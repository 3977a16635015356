// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace psim::commands {

/// Declares the options of `psim trace record` on its own `app` and returns its action, as Command::setup
/// does.
std::function<int()> setup_trace_record(CLI::App& app);

}  // namespace psim::commands
