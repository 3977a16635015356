// SPDX-License-Identifier: Apache-2.0
#include "psim/points.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/child_process.h"
#include "base/config/command_identity.h"
#include "base/console.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "base/printable.h"
#include "base/process_pool.h"
#include "base/read_file.h"
#include "base/result_document.h"
#include "base/run_progress.h"
#include "psim/commands/result_file.h"

namespace psim {
namespace {

namespace fs = std::filesystem;

std::optional<nlohmann::json> read_finished(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  const nlohmann::json json = commands::read_result(path);
  return json.contains("partial") ? std::nullopt : std::optional(json);
}

/// Returns the name of a file until its point is complete.
std::string unfinished(const std::string& path) { return path + ".unfinished"; }

/// Writes how a process ended to its output, if it had no message of its own.
void explain_ending(const std::string& output, int status) {
  std::error_code ignored;
  if (const auto bytes = fs::file_size(output, ignored); !ignored && bytes != 0) return;
  constexpr int kSignalled = 128;
  const std::string text =
      status > kSignalled
          ? fmt::format("ended by signal {} ({})\n", status - kSignalled, ::strsignal(status - kSignalled))
          : fmt::format("ended with status {} and without a result\n", status);
  std::ofstream(output) << text;
}

/// Runs the point in a process of its own and returns the status of that process. The files get their names
/// once the process has ended and its status matches the result; otherwise output was lost, and the point has
/// no result.
std::string run_point(const Point& point) {
  const std::string result = unfinished(point.result), output = unfinished(point.output);
  std::error_code ignored;
  fs::remove(result, ignored);
  fs::remove(point.output, ignored);  // of an earlier failure
  ChildProcess child([&] {
    const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0) return 127;
    std::vector<std::string> words = point.words;
    words.insert(words.begin() + 2, {"--quiet", "--json", result});
    execute_again(words);
    return 127;
  });
  const int ended = child.wait();
  const auto json = read_finished(result);
  const bool complete = json && json->value("exit_status", 0) == ended;
  if (!complete) explain_ending(output, ended);
  fs::rename(output, point.output, ignored);
  if (complete)
    fs::rename(result, point.result, ignored);
  else
    fs::remove(result, ignored);
  return std::to_string(ended);
}

// The points of a command, for commands that look at the folder meanwhile: a line for each, with the name of
// its files, a tab and its label.
constexpr const char* kPlan = "/.psim-points";
constexpr std::string_view kPlanHead = "points of psim 1";

/// Writes the plan. A folder that cannot be written has all results, or the first point reports it.
void write_plan(const std::vector<Point>& earlier, const std::vector<Point>& points,
                const std::string& folder) try {
  std::string text = fmt::format("{}\n", kPlanHead);
  for (const std::vector<Point>* some : {&earlier, &points})
    for (const Point& point : *some) {
      std::string label = printable(point.label);
      std::ranges::replace(label, '\n', ' ');
      text += fmt::format("{}\t{}\n", fs::path(point.result).stem().string(), label);
    }
  if (read_file(folder + kPlan).bytes == text) return;
  OutputFile file(folder + kPlan, "--into");
  file.write(text);
  file.commit();
} catch (const UserError&) {
}

std::size_t count_finished(const std::vector<Point>& points) {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const Point& point) { return point.finished().has_value(); }));
}

/// Returns the exit status of a shard whose own points have run, while points of other shards may be missing.
std::optional<int> end_of_shard(const std::vector<Point>& points, const std::vector<const Point*>& own,
                                const PointOptions& options) {
  int status = 0;
  std::vector<std::pair<const Point*, std::string>> failed;
  for (const Point* point : own) {
    if (point->finished()) continue;
    status = 1;
    if (!point->refused) failed.emplace_back(point, point->first_line());
  }
  report_failures(failed);
  const std::size_t finished = count_finished(points);
  if (status == 0 && finished == points.size()) return std::nullopt;
  if (!options.quiet)
    console::log(
        "psim: shard {}: {} of {} points are in {}; the shard that runs the last one, or the same command "
        "without --shard, continues with all\n",
        options.shard, finished, points.size(), options.folder);
  return status;
}

}  // namespace

Point::Point(std::string name, std::vector<std::string> command, const std::string& folder)
    : label(std::move(name)), words(std::move(command)) {
  const std::string stem = folder + "/" + command_identity(words);
  result = stem + ".json";
  output = stem + ".txt";
}

std::optional<nlohmann::json> Point::finished() const try {
  return read_finished(result);
} catch (const UserError& error) {
  throw UserError(fmt::format("{}; remove it to run this point again", error.what()));
}

bool ended_well(const nlohmann::json& result, std::span<const int> allowed) {
  const int status = result.value("exit_status", 0);
  return (status == 0 || std::ranges::find(allowed, status) != allowed.end()) &&
         result.value("ending", "") != "aborted";
}

std::string Point::first_line() const {
  const std::string text = read_file(output).bytes;
  return text.substr(0, text.find('\n'));
}

std::optional<std::string> Point::message() const {
  constexpr std::string_view kPsim = "\npsim: ";
  const std::string text = "\n" + read_file(output).bytes;
  const std::size_t at = text.find(kPsim);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = at + kPsim.size();
  return text.substr(from, text.find('\n', from) - from);
}

void report_failures(const std::vector<std::pair<const Point*, std::string>>& failed) {
  for (auto one = failed.begin(); one != failed.end(); ++one) {
    const auto alike = [&](const auto& other) { return other.second == one->second; };
    if (std::any_of(failed.begin(), one, alike)) continue;
    const auto points = std::count_if(one, failed.end(), alike);
    console::log("psim: {}{}: failed: {}\n", one->first->label,
                 points == 1 ? "" : fmt::format(", and {} more of the points", points - 1), one->second);
  }
}

void create_point_folder(const std::string& folder, const std::string& option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(fmt::format("{} {}: {}", option, folder, error.message()));
}

Shard Shard::parse(const std::string& text) {
  if (const std::size_t slash = text.find('/'); slash != text.npos) {
    const auto part = parse_number<std::uint32_t>(text.substr(0, slash)),
               parts = parse_number<std::uint32_t>(text.substr(slash + 1));
    if (part && parts && *part >= 1 && *part <= *parts) return {*part, *parts};
  }
  throw UserError(fmt::format("--shard {}: expected I/N with 1 <= I <= N, such as 2/8", text));
}

std::vector<CLI::Option*> add_point_options(CLI::App& app, PointOptions& options) {
  std::vector<CLI::Option*> added;
  added.push_back(app.add_option("--into", options.folder,
                                 "folder of the points' results, which later runs and other hosts reuse")
                      ->type_name("FOLDER")
                      ->capture_default_str());
  added.push_back(
      app.add_option("--parallel", options.parallel, "points at a time [the processors of this host]")
          ->type_name("N")
          ->check(CLI::Range(1u, 4096u)));
  added.push_back(app.add_option("--shard", options.shard,
                                 "run every Nth point, from the Ith on; with one --into folder, N such "
                                 "commands share a grid, also on several hosts")
                      ->type_name("I/N"));
  return added;
}

std::optional<PlannedPoints> planned_points(const std::string& folder) {
  const std::string text = read_file(folder + kPlan).bytes;
  PlannedPoints planned;
  std::size_t at = text.find('\n');
  if (at == std::string::npos || std::string_view(text).substr(0, at) != kPlanHead) return std::nullopt;
  for (std::size_t end; (end = text.find('\n', ++at)) != std::string::npos; at = end) {
    const std::string line = text.substr(at, end - at);
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || line.find('/') < tab) return std::nullopt;
    const std::string stem = folder + "/" + line.substr(0, tab);
    std::error_code ignored;
    ++planned.all;
    if (fs::exists(stem + ".json", ignored)) continue;
    (fs::exists(stem + ".txt", ignored) ? planned.failed : planned.missing).push_back(line.substr(tab + 1));
  }
  return planned;
}

std::optional<int> run_points(const std::vector<Point>& points, const PointOptions& options,
                              const std::vector<Point>& earlier) {
  const Shard shard = options.shard.empty() ? Shard{} : Shard::parse(options.shard);
  std::vector<const Point*> own;
  for (std::size_t i = shard.part - 1; i < points.size(); i += shard.parts) own.push_back(&points[i]);
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const Point* point : own) {
    if (point->finished()) continue;
    labels.push_back(point->label);
    tasks.push_back({[point]() { return run_point(*point); }});
  }
  if (!options.quiet && tasks.size() < own.size())
    console::log("psim: {} of {} points are in {} already\n", own.size() - tasks.size(), own.size(),
                 options.folder);
  write_plan(earlier, points, options.folder);
  const unsigned parallel =
      options.parallel != 0 ? options.parallel : std::max(1u, std::thread::hardware_concurrency());
  try {
    do_all_shown(tasks, labels, parallel, options.quiet);
  } catch (const Interrupted& interrupt) {
    console::log("psim: interrupted; {} of {} points are in {}; the same command runs the rest\n",
                 count_finished(points), points.size(), options.folder);
    return 128 + interrupt.signal;
  }
  return options.shard.empty() ? std::nullopt : end_of_shard(points, own, options);
}

}  // namespace psim
