// SPDX-License-Identifier: Apache-2.0
#include "psim/net/replay_input.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "netsim/replay/goal_trace.h"
#include "psim/net/otf2_trace.h"
#include "psim/reproduce/network_run.h"

namespace psim {
namespace {

net::replay::Trace read(const std::string& path) {
  std::error_code ignored;
  if (path.ends_with(".otf2") || std::filesystem::is_directory(path, ignored)) return read_otf2(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(fmt::format("--replay {}: {}", path, std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return net::replay::parse_goal(text, path);
}

}  // namespace

ReplayInput::ReplayInput(const std::string& path, double compute_scale, double message_scale)
    : trace_(read(path)) {
  if (compute_scale != 1 || message_scale != 1) trace_.scale(compute_scale, message_scale);
  replay_ = std::make_unique<net::replay::Replay>(trace_);
}

std::string ReplayInput::program() const { return reproduce::program_directory() + "/replay"; }

}  // namespace psim
