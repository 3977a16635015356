// SPDX-License-Identifier: Apache-2.0
#include "psim/net/sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <thread>

#include "base/child_process.h"
#include "base/console.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
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

constexpr std::string_view kArgument = "argument.";
constexpr std::size_t kMostPoints = 100'000;

/// One point: its values, its command, and the paths of its result and output.
struct Point {
  std::vector<std::string> values, words;
  std::string result, output;  ///< paths

  std::string label(const std::vector<SweepAxis>& axes) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < axes.size(); ++i) parts.push_back(axes[i].key + "=" + values[i]);
    return fmt::format("{}", fmt::join(parts, " "));
  }
  /// Returns the finished result, if there is one. Throws UserError for a file that is not an unchanged
  /// result.
  std::optional<nlohmann::json> finished() const {
    std::error_code ignored;
    if (!fs::exists(result, ignored)) return std::nullopt;
    try {
      const nlohmann::json json = commands::read_result(result);
      return json.contains("partial") ? std::nullopt : std::optional(json);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}; remove it to run this point again", error.what()));
    }
  }
};

/// Returns every combination, the last axis fastest.
std::vector<std::vector<std::string>> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<std::string>> all{{}};
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& one : all)
      for (const std::string& value : axis.values) {
        longer.push_back(one);
        longer.back().push_back(value);
      }
    all = std::move(longer);
    if (all.size() > kMostPoints) throw UserError(fmt::format("--sweep: more than {} points", kMostPoints));
  }
  return all;
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string block(1 << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    hash.update({block.data(), static_cast<std::size_t>(file.gcount())});
  return hash.finish();
}

/// Returns the name of a point's files: a hash of its command, the files that the command reads (with the
/// program) and psim.
std::string identity(const std::vector<std::string>& words) {
  std::string all(version());
  for (std::size_t i = 1; i < words.size(); ++i) {
    all += words[i] + '\0';
    std::error_code ignored;
    if (fs::is_regular_file(words[i], ignored)) all += sha256_of_file(words[i]);
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

constexpr const char* kColumns[] = {"seconds", "messages", "packets", "packet_hops"};

/// Returns a cell of a CSV file, which may contain commas.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::vector<std::string> row_of(const Point& point) {
  std::vector<std::string> row = point.values;
  const auto json = point.finished();
  const auto cell = [&](const nlohmann::json::json_pointer& at) {
    return json && json->contains(at) ? (*json)[at].dump() : std::string();
  };
  row.push_back(json ? json->value("ending", "finished") : "failed");
  for (const char* column : kColumns)
    row.push_back(cell(nlohmann::json::json_pointer(std::string("/") + column)));
  row.push_back(cell("/links/mean_utilization"_json_pointer));
  row.push_back(cell("/links/max_utilization"_json_pointer));
  row.push_back(cell("/link_energy/watts"_json_pointer));
  row.push_back(cell("/link_energy/joules"_json_pointer));
  row.push_back(cell("/host/cpu_seconds"_json_pointer));
  row.push_back(point.result);
  return row;
}

std::vector<std::string> header_of(const std::vector<SweepAxis>& axes) {
  std::vector<std::string> row;
  for (const SweepAxis& axis : axes) row.push_back(axis.key);
  row.emplace_back("ending");
  row.insert(row.end(), std::begin(kColumns), std::end(kColumns));
  row.insert(row.end(), {"links_mean_utilization", "links_max_utilization", "link_watts", "link_joules",
                         "host_cpu_seconds", "result"});
  return row;
}

/// Prints the first columns, for people.
void print_table(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::vector<std::size_t> widths(columns);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    console::print("{}\n", line);
  }
}

std::vector<Point> points_of(const SweepOptions& options, const std::vector<SweepAxis>& axes,
                             std::size_t program) {
  const std::vector<std::string> words = command_line();
  std::vector<Point> points;
  for (auto& values : combinations(axes)) {
    Point point{values, point_command(words, program, axes, values), {}, {}};
    const std::string stem = options.into + "/" + identity(point.words);
    point.result = stem + ".json";
    point.output = stem + ".txt";
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError(fmt::format("--sweep {}: expected KEY=VALUE,VALUE,…", text));
  SweepAxis axis{text.substr(0, equals), {}};
  for (std::size_t from = equals + 1;;) {
    const std::size_t comma = text.find(',', from);
    axis.values.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
    if (axis.values.back().empty()) throw UserError(fmt::format("--sweep {}: an empty value", text));
    if (comma == std::string::npos) return axis;
    from = comma + 1;
  }
}

std::vector<std::string> point_command(const std::vector<std::string>& words, std::size_t program,
                                       const std::vector<SweepAxis>& axes,
                                       const std::vector<std::string>& values) {
  std::vector<std::string> dropped{"--sweep", "--into", "--parallel", "--csv", "--json"};
  if (std::any_of(axes.begin(), axes.end(), [](const SweepAxis& axis) { return axis.key == "ranks"; }))
    dropped.insert(dropped.end(), {"-n", "--ranks"});
  std::vector<std::string> made(words.begin(), words.begin() + 2);
  std::vector<std::string> command(words.end() - static_cast<std::ptrdiff_t>(program), words.end());
  for (std::size_t i = 2; i < words.size() - program; ++i) {
    const std::string& word = words[i];
    if (std::find(dropped.begin(), dropped.end(), word) != dropped.end()) {
      ++i;  // its value
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const bool joined =
        name.size() < word.size() && std::find(dropped.begin(), dropped.end(), name) != dropped.end();
    if (!joined && word != "--quiet") made.push_back(word);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& key = axes[i].key;
    if (key == "ranks") {
      made.insert(made.end(), {"-n", values[i]});
    } else if (key.starts_with(kArgument)) {
      std::size_t number = 0;
      const char* end = key.data() + key.size();
      const auto [rest, problem] = std::from_chars(key.data() + kArgument.size(), end, number);
      if (problem != std::errc{} || rest != end || number == 0 || number >= program)
        throw UserError(fmt::format(
            "--sweep {}: the program is given {} arguments; expected argument.1 to argument.{}", key,
            program - std::min<std::size_t>(program, 1), program - std::min<std::size_t>(program, 1)));
      command[number] = values[i];
    } else {
      made.insert(made.end(), {"--set", key + "=" + values[i]});
    }
  }
  made.insert(made.end(), command.begin(), command.end());
  return made;
}

int run_sweep(const SweepOptions& options, std::size_t program) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options.axes) axes.push_back(parse_axis(text));
  std::optional<OutputFile> csv;
  if (!options.csv.empty()) csv.emplace(options.csv, "--csv");
  std::error_code error;
  fs::create_directories(options.into, error);
  if (error) throw UserError(fmt::format("--into {}: {}", options.into, error.message()));
  const std::vector<Point> points = points_of(options, axes, program);
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const Point& point : points) {
    if (point.finished()) continue;
    labels.push_back(point.label(axes));
    tasks.push_back({[&point]() { return run_point(point); }});
  }
  if (!options.quiet && tasks.size() < points.size())
    console::log("psim: {} of {} points are in {} already\n", points.size() - tasks.size(), points.size(),
                 options.into);
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
                 points.size(), options.into);
    return 128 + interrupt.signal;
  }
  std::vector<std::vector<std::string>> rows{header_of(axes)};
  bool all = true;
  for (const Point& point : points) {
    rows.push_back(row_of(point));
    if (point.finished()) continue;
    all = false;
    const std::string said = read_file(point.output).bytes;
    console::log("psim: {}: failed: {}\n", point.label(axes), said.substr(0, said.find('\n')));
  }
  if (csv) {
    for (auto row : rows) {
      for (std::string& cell : row) cell = csv_cell(cell);
      csv->write(fmt::format("{}\n", fmt::join(row, ",")));
    }
    csv->commit();
  }
  if (!options.quiet) print_table(rows, axes.size() + 1 + std::size(kColumns));
  return all ? 0 : 1;
}

}  // namespace psim
