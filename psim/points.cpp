// SPDX-License-Identifier: Apache-2.0
#include "psim/points.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/child_process.h"
#include "base/console.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/process_pool.h"
#include "base/progress.h"
#include "base/read_file.h"
#include "base/result_document.h"
#include "base/run_progress.h"
#include "base/sha256.h"
#include "psim/commands/result_file.h"

namespace psim {
namespace {

namespace fs = std::filesystem;

/// Returns the name of a point's files.
std::string identity(const std::vector<std::string>& words) {
  std::string all(version());
  for (std::size_t i = 1; i < words.size(); ++i) {
    all += words[i] + '\0';
    std::error_code ignored;
    std::string path = words[i];
    for (const std::string_view how : {"model:", "recorded:"})  // files of psim net --compute
      if (const std::size_t at = path.find(how); at != std::string::npos) path.erase(0, at + how.size());
    if (fs::is_regular_file(path, ignored)) all += sha256_of_file(path);
  }
  return sha256(all).substr(0, 16);
}

/// Runs the point in a process of its own and returns the status of that process. If the status does not
/// match the result, output was lost, and the point has no result.
std::string run_point(const Point& point) {
  ChildProcess child([&] {
    const int out = ::open(point.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0) return 127;
    std::vector<std::string> words = point.words;
    words.insert(words.begin() + 2, {"--quiet", "--json", point.result});
    execute_again(words);
    return 127;
  });
  const int ended = child.wait();
  if (const auto json = point.finished(); json && json->value("exit_status", 0) != ended)
    fs::remove(point.result);
  return std::to_string(ended);
}

}  // namespace

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string block(1 << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    hash.update({block.data(), static_cast<std::size_t>(file.gcount())});
  return hash.finish();
}

Point::Point(std::string name, std::vector<std::string> command, const std::string& folder)
    : label(std::move(name)), words(std::move(command)) {
  const std::string stem = folder + "/" + identity(words);
  result = stem + ".json";
  output = stem + ".txt";
}

std::optional<nlohmann::json> Point::finished() const {
  std::error_code ignored;
  if (!fs::exists(result, ignored)) return std::nullopt;
  try {
    const nlohmann::json json = commands::read_result(result);
    return json.contains("partial") ? std::nullopt : std::optional(json);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}; remove it to run this point again", error.what()));
  }
}

std::string Point::first_line() const {
  const std::string text = read_file(output).bytes;
  return text.substr(0, text.find('\n'));
}

void create_point_folder(const std::string& folder, const std::string& option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(fmt::format("{} {}: {}", option, folder, error.message()));
}

int run_points(const std::vector<Point>& points, const PointOptions& options) {
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const Point& point : points) {
    if (point.finished()) continue;
    labels.push_back(point.label);
    tasks.push_back({[&point]() { return run_point(point); }});
  }
  if (!options.quiet && tasks.size() < points.size())
    console::log("psim: {} of {} points are in {} already\n", points.size() - tasks.size(), points.size(),
                 options.folder);
  const unsigned parallel =
      options.parallel != 0 ? options.parallel : std::max(1u, std::thread::hardware_concurrency());
  try {
    Progress progress(options.quiet);
    do_all(tasks, parallel, [&](const std::vector<TaskView>& views) {
      progress.update([&](double elapsed) { return progress_line(elapsed, labels, views); });
    });
  } catch (const Interrupted& interrupt) {
    const auto done = std::count_if(points.begin(), points.end(),
                                    [](const Point& point) { return point.finished().has_value(); });
    console::log("psim: interrupted; {} of {} points are in {}; the same command runs the rest\n", done,
                 points.size(), options.folder);
    return 128 + interrupt.signal;
  }
  return 0;
}

}  // namespace psim
