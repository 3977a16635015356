// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/replay_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"
#include "ranks/replay/chakra_trace.h"
#include "ranks/replay/dumpi_trace.h"
#include "ranks/replay/goal_trace.h"
#include "ranks/replay/otf2_trace.h"

namespace psim {
namespace {

net::replay::Trace read(const std::string& path, const std::string& who) {
  std::error_code ignored;
  if (path.ends_with(".otf2") || std::filesystem::is_directory(path, ignored)) return read_otf2(path);
  if (path.ends_with(".et")) return net::replay::read_chakra(path, who);
  if (path.ends_with(".meta")) return net::replay::read_dumpi(path, who);
  const bool regular = std::filesystem::is_regular_file(path, ignored);  // else it may have no end
  const FileBytes file = read_file(path, regular ? kMostProgramBytes : kMostTextBytes);
  if (!file.problem.empty()) throw UserError(fmt::format("{} {}: {}", who, path, file.problem));
  if (net::replay::is_dumpi_file(file.bytes))
    throw UserError(fmt::format(
        "{} {}: a rank's file of a DUMPI trace; expected the trace's NAME.meta, next to the output of "
        "\"dumpi2ascii -SX\" of each rank",
        who, path));
  return net::replay::parse_goal(file.bytes, path);
}

}  // namespace

ReplayInput::ReplayInput(const std::string& path, double compute_scale, double message_scale,
                         const std::string& who)
    : trace_(read(path, who)), compute_scale_(compute_scale), message_scale_(message_scale) {
  if (compute_scale != 1 || message_scale != 1) trace_.scale(compute_scale, message_scale);
  replay_ = std::make_unique<net::replay::Replay>(trace_);
}

std::string ReplayInput::program() const { return share_path("mgen") / "replay"; }

}  // namespace psim
