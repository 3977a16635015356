// SPDX-License-Identifier: Apache-2.0
#include "psim/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string_view>

#include "base/console.h"
#include "base/csv_field.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "psim/partial_results.h"

namespace psim {
namespace {

constexpr std::string_view kArgument = "argument.";

/// The name of a point: its values.
std::string label_of(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) parts.push_back(axes[i].key + "=" + values[i]);
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> row_of(const Point& point, const std::vector<std::string>& values,
                                const std::vector<SweepColumn>& columns) {
  std::vector<std::string> row = values;
  const auto json = point.finished();
  row.push_back(json ? json->value("ending", "finished") : "failed");
  for (const SweepColumn& column : columns) {
    const nlohmann::json::json_pointer at(column.at);
    row.push_back(json && json->contains(at) ? (*json)[at].dump() : std::string());
  }
  row.push_back(point.result);
  return row;
}

std::vector<std::string> header_of(const std::vector<SweepAxis>& axes,
                                   const std::vector<SweepColumn>& columns) {
  std::vector<std::string> row;
  for (const SweepAxis& axis : axes) row.push_back(axis.key);
  row.emplace_back("ending");
  for (const SweepColumn& column : columns) row.emplace_back(column.name);
  row.emplace_back("result");
  return row;
}

/// Reports the points whose machine is refused, in a line for each reason. They run all the same, in no time,
/// and so have their files in the folder.
void report_refused(std::vector<Point>& points, const std::vector<SweepAxis>& axes,
                    const std::vector<std::vector<std::string>>& values, const std::string& machine,
                    const std::vector<std::string>& sets, const LoadMachine& load) {
  std::map<std::vector<std::string>, std::string> reasons;  // by the machine and its keys; empty: good
  std::vector<std::pair<const Point*, std::string>> refused;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::string own_machine = machine;
    std::vector<std::string> own_sets = sets;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      if (axes[axis].key == "machine")
        own_machine = values[i][axis];
      else if (axes[axis].key != "ranks" && !axes[axis].key.starts_with(kArgument))
        own_sets.push_back(axes[axis].key + "=" + values[i][axis]);
    std::vector<std::string> key = own_sets;
    key.push_back(own_machine);
    const auto [reason, added] = reasons.try_emplace(std::move(key));
    if (added) {
      try {
        load(own_machine, own_sets);
      } catch (const UserError& error) {
        const std::string text = error.what();
        reason->second = "psim: " + text.substr(0, text.find('\n'));
      }
    }
    points[i].refused = !reason->second.empty();
    if (points[i].refused) refused.emplace_back(&points[i], reason->second);
  }
  report_failures(refused);
}

/// Prints the first columns, for people: fractions that follow the `given` columns with six digits.
void print_table(std::vector<std::vector<std::string>> rows, std::size_t given, std::size_t columns) {
  for (auto& row : rows | std::views::drop(1))
    for (std::size_t i = given; i < columns; ++i)
      if (row[i].find('.') != std::string::npos) row[i] = fmt::format("{:.6g}", std::stod(row[i]));
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
  std::vector<std::string> dropped{"--sweep", "--into", "--parallel", "--shard",
                                   "--csv",   "--json", "--report"};
  for (const SweepAxis& axis : axes) {
    if (axis.key == "ranks") dropped.insert(dropped.end(), {"-n", "--ranks"});
    if (axis.key == "machine") dropped.emplace_back("--machine");
  }
  std::vector<std::string> made(words.begin(), words.begin() + 2);
  std::vector<std::string> command(words.end() - static_cast<std::ptrdiff_t>(program), words.end());
  // Options follow, so a "--" before the program is left out.
  if (program != 0 && command.front().starts_with('-')) command.front().insert(0, "./");
  for (std::size_t i = 2; i < words.size() - program; ++i) {
    const std::string& word = words[i];
    if (std::find(dropped.begin(), dropped.end(), word) != dropped.end()) {
      ++i;  // its value
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const bool joined =
        name.size() < word.size() && std::find(dropped.begin(), dropped.end(), name) != dropped.end();
    if (!joined && word != "--quiet" && word != "--") made.push_back(word);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& key = axes[i].key;
    if (key == "ranks") {
      made.insert(made.end(), {"-n", values[i]});
    } else if (key == "machine") {
      made.insert(made.end(), {"--machine", values[i]});
    } else if (key.starts_with(kArgument)) {
      const std::size_t number = parse_number<std::size_t>(key.substr(kArgument.size())).value_or(0);
      if (number == 0 || number >= program)
        throw UserError(fmt::format(
            "--sweep {}: expected argument.N, where N counts the program's arguments; it is given {}", key,
            program - std::min<std::size_t>(program, 1)));
      command[number] = values[i];
    } else {
      made.insert(made.end(), {"--set", key + "=" + values[i]});
    }
  }
  made.insert(made.end(), command.begin(), command.end());
  return made;
}

void add_sweep_options(CLI::App& app, SweepOptions& options, const std::string& keys) {
  CLI::Option* sweeps =
      app.add_option(
             "--sweep", options.axes,
             fmt::format("run each point of a grid: KEY=A,B of --set, {}machine=A,B or argument.1=A,B; may "
                         "be repeated; points whose results are in --into are not run again",
                         keys))
          ->type_name("KEY=A,B")
          ->take_all();
  for (CLI::Option* option : add_point_options(app, options.points)) option->needs(sweeps);
}

int run_sweep(const SweepOptions& options, const std::vector<SweepColumn>& columns, std::size_t program,
              const std::string& machine, const std::vector<std::string>& sets, const LoadMachine& load,
              const std::function<void(const std::vector<std::string>& results)>& finished) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options.axes) {
    axes.push_back(parse_axis(text));
    if (std::ranges::any_of(axes.begin(), axes.end() - 1,
                            [&](const SweepAxis& axis) { return axis.key == axes.back().key; }))
      throw UserError(
          fmt::format("--sweep {}: the key has a list already; expected all values in one list", text));
  }
  std::optional<OutputFile> csv;
  if (!options.csv.empty()) csv.emplace(options.csv, "--csv");
  PartialResults partials("", "", 0, true);
  partials.refuse(fmt::format("SIGUSR1: psim report {} -o PAGE.html shows the points that have ended",
                              options.points.folder));
  const std::vector<std::string> words = command_line();
  const auto values = combinations(axes, "--sweep");
  std::vector<Point> points;
  for (const auto& one : values)
    points.emplace_back(label_of(axes, one), point_command(words, program, axes, one), options.points.folder);
  create_point_folder(options.points.folder, "--into");
  report_refused(points, axes, values, machine, sets, load);
  if (const auto end = run_points(points, options.points)) return *end;
  std::vector<std::vector<std::string>> rows{header_of(axes, columns)};
  std::vector<std::string> results;
  std::vector<std::pair<const Point*, std::string>> failed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    rows.push_back(row_of(points[i], values[i], columns));
    if (const auto json = points[i].finished()) {
      results.push_back(points[i].result);
      if (!ended_well(*json))
        failed.emplace_back(&points[i], fmt::format("the run ended with status {}; its ending is {}",
                                                    json->value("exit_status", 0),
                                                    json->value("ending", "that of the program")));
    } else if (!points[i].refused) {
      failed.emplace_back(&points[i], points[i].first_line());
    }
  }
  report_failures(failed);
  if (csv) {
    for (auto row : rows) {
      for (std::string& cell : row) cell = csv_field(cell);
      csv->write(fmt::format("{}\n", fmt::join(row, ",")));
    }
    csv->commit();
  }
  finished(results);
  const auto printed =
      std::count_if(columns.begin(), columns.end(), [](const SweepColumn& column) { return column.printed; });
  if (!options.points.quiet)
    print_table(rows, axes.size() + 1, axes.size() + 1 + static_cast<std::size_t>(printed));
  return failed.empty() && results.size() == points.size() ? 0 : 1;
}

}  // namespace psim
