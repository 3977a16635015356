// SPDX-License-Identifier: Apache-2.0
// Points: runs of psim with different values, several at a time, each in a process of its own. `--sweep` of
// `psim net` and `psim run`, and `psim fit` use it. The result of a point is a file that is named after the
// contents of its inputs. A point whose file exists is not run again, so an interrupted grid continues where
// it stopped. Results appear whole or not at all, so several hosts can share a folder (--shard).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace psim {

/// One run: its label for people, its command, and the paths of its result and of its output.
struct Point {
  std::string label;
  std::vector<std::string> words;  ///< "psim", the command, its options, the program and its arguments
  std::string result, output;
  bool refused = false;  ///< its failure was reported before it ran

  /// Makes the point of a command. Its files in `folder` are named after command_identity().
  Point(std::string label, std::vector<std::string> words, const std::string& folder);
  /// Returns the finished result, if there is one. Throws UserError for a file that is not an unchanged
  /// result.
  std::optional<nlohmann::json> finished() const;
  /// Returns the first line of the output.
  std::string first_line() const;
  /// Returns the first line of psim in the output, without "psim: ".
  std::optional<std::string> message() const;
};

/// The largest exit status of a process.
inline constexpr int kMostStatus = 255;

/// Returns true for the result of a run that ended with status 0, or one of `allowed`, and did not abort, as
/// MPI_Abort may have status 0.
bool ended_well(const nlohmann::json& result, std::span<const int> allowed = {});

/// A part of the points: those whose number modulo `parts` is `part` - 1.
struct Shard {
  std::uint32_t part = 1, parts = 1;
  /// Parses "2/8". Throws UserError.
  static Shard parse(const std::string& text);
};

struct PointOptions {
  std::string folder;     ///< exists after create_point_folder()
  unsigned parallel = 0;  ///< 0: the number of the host's processors
  std::string shard{};    ///< "I/N"; empty: all points
  bool quiet = false;
};

/// Declares --into, --parallel and --shard and returns them. `folder` of `options` is the default.
std::vector<CLI::Option*> add_point_options(CLI::App& app, PointOptions& options);

/// Prints failures of points and their reasons: a line for each reason, with its first point.
void report_failures(const std::vector<std::pair<const Point*, std::string>>& failed);

/// Creates the folder. `option` names it in messages, "--into". Throws UserError.
void create_point_folder(const std::string& folder, const std::string& option);

/// The points of the last command that ran points into a folder.
struct PlannedPoints {
  std::size_t all = 0;
  std::vector<std::string> failed, missing;  ///< labels of those without a result: they ended, or did not yet
};
/// Returns the plan in a folder, and what has become of it; nothing if there is none, or it was edited.
std::optional<PlannedPoints> planned_points(const std::string& folder);

/// Runs the points of the shard that have no result, with a progress line. A point that fails has no result
/// afterwards. Returns nothing if the command can use the points. Otherwise it returns the command's exit
/// status: 128 + the signal that interrupted it, or that of a shard while points of others are missing.
/// Failed points of a shard are reported here. `earlier`: points that the same command has run before, for
/// those who look at the folder. Throws UserError.
std::optional<int> run_points(const std::vector<Point>& points, const PointOptions& options,
                              const std::vector<Point>& earlier = {});

/// Returns every combination of the axes' values, the last axis fastest. Throws UserError if there are too
/// many; `option` names the axes.
template <class Axis>
std::vector<std::vector<std::string>> combinations(const std::vector<Axis>& axes, const std::string& option) {
  constexpr std::size_t kMost = 100'000;
  std::vector<std::vector<std::string>> all{{}};
  for (const Axis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& one : all)
      for (const std::string& value : axis.values) {
        longer.push_back(one);
        longer.back().push_back(value);
      }
    all = std::move(longer);
    if (all.size() > kMost) throw UserError(option + ": more than " + std::to_string(kMost) + " points");
  }
  return all;
}

}  // namespace psim
