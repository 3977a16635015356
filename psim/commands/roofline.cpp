// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/csv_field.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "predict/roofline.h"
#include "predict/roofline_points.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "psim/commands/roofline_machine.h"

namespace psim::commands {
namespace {

using nlohmann::ordered_json;
using predict::Assessment;
using predict::Limit;
using predict::Roofline;
using predict::RoofLine;
using predict::RooflinePoint;

struct RooflineOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string csv, counting = "one-way";
  std::vector<std::string> node, memory, links;  ///< results of measurements
};

/// The inputs of the diagram.
struct Diagram {
  Roofline roofline;
  std::vector<RooflinePoint> points;
  std::vector<std::string> notes, hashes;
};

template <class Call>
auto about(const std::string& file, Call call) {
  try {
    return call();
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", file, error.what()));
  }
}

bool same_lines(const Roofline& a, const Roofline& b) {
  return std::ranges::equal(a.lines, b.lines, [](const RoofLine& x, const RoofLine& y) {
    return x.name == y.name && x.limit == y.limit && x.rate == y.rate;
  });
}

/// Adds an auxiliary line for each result: the highest rate of its points.
void add_measured(Diagram& to, const std::vector<std::string>& files, Limit limit, const char* option) {
  for (const std::string& file : files) {
    const nlohmann::json result = read_result(file);
    to.hashes.push_back(result.value("result_hash", ""));
    double rate = 0;
    for (const predict::NodeWork& work : about(file, [&] { return predict::work_of(result); })) {
      const double amount = limit == Limit::Flops ? work.flops
                            : limit == Limit::Memory
                                ? work.memory_bytes.value_or(0)
                                : message_bytes(work, predict::Counting::OneWay).value_or(0);
      if (work.seconds > 0) rate = std::max(rate, amount / work.seconds);
    }
    if (!(rate > 0))
      throw UserError(fmt::format("{} {}: has no {}; expected a run that measures them", option, file,
                                  limit == Limit::Flops    ? "floating-point operations"
                                  : limit == Limit::Memory ? "bytes of memory"
                                                           : "bytes of messages between nodes"));
    to.roofline.lines.push_back({"measured in " + file, limit, rate, true});
  }
}

Diagram diagram_of(const RooflineOptions& options) {
  Diagram diagram;
  const bool given = !options.common.machine.empty() || !options.common.sets.empty();
  if (given) diagram.roofline = roofs_of(static_cast<const MachineChoice&>(options.common));
  if (!given && options.files.empty())
    throw UserError(
        "roofline: no result and no machine; expected `psim roofline RESULT.json…` or --machine FILE");
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    const std::string& file = options.files[i];
    const nlohmann::json result = read_result(file);
    diagram.hashes.push_back(result.value("result_hash", ""));
    predict::PointsOfResult found = about(file, [&] { return predict::points_of(result, file); });
    diagram.points.insert(diagram.points.end(), found.points.begin(), found.points.end());
    for (const std::string& note : found.notes) diagram.notes.push_back(file + ": " + note);
    if (given) continue;
    Roofline own = about(file, [&] { return roofs_of(result); });
    if (i == 0)
      diagram.roofline = std::move(own);
    else if (!same_lines(diagram.roofline, own))
      throw UserError(fmt::format("{}: its machine has other roofs than that of {}; expected --machine FILE",
                                  file, options.files[0]));
  }
  diagram.roofline.counting =
      options.counting == "both" ? predict::Counting::Both : predict::Counting::OneWay;
  add_measured(diagram, options.node, Limit::Flops, "--measured-node");
  add_measured(diagram, options.memory, Limit::Memory, "--measured-memory");
  add_measured(diagram, options.links, Limit::Messages, "--measured-links");
  return diagram;
}

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json line_json(const Roofline& roofline, const RoofLine& line) {
  ordered_json one{{"name", line.name}, {"limit", name(line.limit)}, {"auxiliary", line.measured}};
  one[line.limit == Limit::Flops ? "flops_per_second" : "bytes_per_second"] = roofline.rate(line);
  if (line.limit != Limit::Flops) one["ridge_flops_per_byte"] = roofline.ridge(line);
  return one;
}

ordered_json point_json(const Roofline& roofline, const RooflinePoint& point) {
  const Assessment found = assess(roofline, point.work);
  return {{"source", point.source},
          {"region", point.region},
          {"ranks", point.ranks},
          {"seconds", point.work.seconds},
          {"flops", point.work.flops},
          {"memory_bytes", number_or_null(point.work.memory_bytes)},
          {"sent_bytes", number_or_null(point.work.sent_bytes)},
          {"received_bytes", number_or_null(point.work.received_bytes)},
          {"flops_per_second", found.rate},
          {"flops_per_memory_byte", number_or_null(found.memory_intensity)},
          {"flops_per_message_byte", number_or_null(found.message_intensity)},
          {"attainable_flops_per_second", found.attainable},
          {"bound", found.bound == nullptr ? "" : found.bound->name},
          {"share_of_bound", found.share},
          {"remedy", name(found.remedy)},
          {"advice", found.advice}};
}

std::string csv_text(const ordered_json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

std::string csv_of(const ordered_json& points) {
  std::string table;
  for (const ordered_json& point : points) {
    std::string head, row;
    for (const auto& [key, value] : point.items()) {
      head += (head.empty() ? "" : ",") + key;
      row += (row.empty() ? "" : ",") + csv_text(value);
    }
    if (table.empty()) table = head + "\n";
    table += row + "\n";
  }
  return table;
}

int run_roofline(const RooflineOptions& options) {
  for (const auto* files : {&options.files, &options.node, &options.memory, &options.links})
    refuse_page_over_results(options.common.report, "--report", *files);
  ResultDocument result("roofline", options.common.json);
  std::optional<OutputFile> page, table;
  if (!options.common.report.empty()) page.emplace(options.common.report, "--report");
  if (!options.csv.empty()) table.emplace(options.csv, "--csv");
  const Diagram diagram = diagram_of(options);
  ordered_json& body = result.body();
  body["inputs"]["results"] = diagram.hashes;
  body["machine"] = {{"name", diagram.roofline.machine}};
  body["counting"] = name(diagram.roofline.counting);
  body["lines"] = ordered_json::array();
  for (const RoofLine& line : diagram.roofline.lines)
    body["lines"].push_back(line_json(diagram.roofline, line));
  body["points"] = ordered_json::array();
  for (const RooflinePoint& point : diagram.points)
    body["points"].push_back(point_json(diagram.roofline, point));
  body["notes"] = diagram.notes;
  if (table) table->write(csv_of(body["points"])), table->commit();
  result.page()["title"] = "Roofline of " + diagram.roofline.machine;
  result.finish();
  write_page(page, result);
  if (options.common.quiet) return 0;
  show_page(result);
  for (const std::string& note : diagram.notes) console::log("psim: {}\n", note);
  return 0;
}

std::function<int()> set_up_roofline(CLI::App& app) {
  auto options = std::make_shared<RooflineOptions>();
  app.add_option(
      "RESULT…", options->files,
      "results of `psim run`, `psim replay`, `psim net` or `psim cosim`, as --json writes them; none: only "
      "the roofs of --machine");
  app.add_option(
         "--counting", options->counting,
         "messages: one-way (the larger of sent and received bytes, bandwidth of one direction) or both "
         "[one-way]")
      ->type_name("WAY")
      ->check(CLI::IsMember({"one-way", "both"}));
  app.add_option("--measured-node", options->node,
                 "result of a run on one node; its flop rate becomes an auxiliary line; may be repeated")
      ->type_name("RESULT");
  app.add_option(
         "--measured-memory", options->memory,
         "result of a run that transfers memory; its bandwidth becomes an auxiliary line; may be repeated")
      ->type_name("RESULT");
  app.add_option(
         "--measured-links", options->links,
         "result of a run that only communicates; its bandwidth becomes an auxiliary line; may be repeated")
      ->type_name("RESULT");
  app.add_option("--csv", options->csv, "write a table of the points")->type_name("FILE");
  add_common(app, options->common, kMachine | kJson | kReport | kQuiet);
  app.get_option("--machine")
      ->description(
          "machine with the roofs: a TOML file, or the name of a shipped one [that of the results]");
  return [options] { return run_roofline(*options); };
}

}  // namespace

const Command kRoofline{
    .name = "roofline",
    .usage = "[RESULT…]",
    .summary = "show how near runs are to the peak, the memory and the links of a node, and the remedy",
    .examples =
        "  psim run --json run.json ./a.out && psim roofline run.json --report roofline.html\n"
        "  psim roofline --machine sx9 --counting both net.json\n"
        "  psim roofline --measured-node one.json --measured-links messages.json --csv points.csv net.json\n",
    .setup = set_up_roofline,
};

}  // namespace psim::commands
