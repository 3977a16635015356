// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/console.h"
#include "base/csv_field.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "machines/machine.h"
#include "machines/machine_choice.h"
#include "machines/network_machine.h"
#include "predict/roofline.h"
#include "predict/roofline_points.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"

namespace psim::commands {
namespace {

using nlohmann::ordered_json;
using predict::Assessment;
using predict::Limit;
using predict::Roofline;
using predict::RoofLine;
using predict::RooflinePoint;

/// Adds the lines of a core: all pipes do a multiply-add in each cycle.
void add_core(Roofline& to, const Machine& machine) {
  const double clock = static_cast<double>(machine.core.clock_hz);
  const double scalar = 2.0 * machine.core.pipes.fp * clock;
  const double pes = 2.0 * machine.simd.pes * machine.core.simd.arithmetic_pipes * clock;
  const double peak = std::max(scalar, pes);
  to.lines.push_back({"peak", Limit::Flops, peak});
  to.lines.push_back({"without multiply-add", Limit::Flops, peak / 2, true});
  if (pes > 0) to.lines.push_back({"scalar part", Limit::Flops, scalar, true});
  to.lines.push_back({"memory", Limit::Memory, static_cast<double>(machine.memory.bytes_per_second)});
}

void add_links(Roofline& to, const NetworkMachine& machine) {
  for (const NamedBandwidth& link : parse_links(machine.roofline.links))
    to.lines.push_back({link.name, Limit::Messages, static_cast<double>(link.bandwidth.count)});
  if (!machine.roofline.links.empty()) return;
  const net::NetworkConfig& network = machine.network;
  if (network.model == net::NetworkModel::Analytic && network.analytic.bandwidth.count != 0) {
    to.lines.push_back(
        {"analytic network", Limit::Messages, static_cast<double>(network.analytic.bandwidth.count)});
    return;
  }
  const double port = static_cast<double>(network.nic.bandwidth.count);
  double node = port * network.nic.ports;
  if (network.nic.dma_bandwidth.count != 0)
    node = std::min(node, static_cast<double>(network.nic.dma_bandwidth.count) * network.nic.dma_engines);
  to.lines.push_back({network.nic.ports == 1 ? "interface" : fmt::format("{} ports", network.nic.ports),
                      Limit::Messages, node});
  if (port < node) to.lines.push_back({"one port", Limit::Messages, port});
}

Roofline network_roofs(const NetworkMachine& machine) {
  Roofline to{machine.name, {}, {}};
  const std::unique_ptr<Machine> core = core_of(machine);
  if (core != nullptr) add_core(to, *core);
  if (machine.roofline.peak.count != 0) {
    std::erase_if(to.lines, [](const predict::RoofLine& line) { return line.limit == Limit::Flops; });
    to.lines.insert(to.lines.begin(),
                    {"peak", Limit::Flops, static_cast<double>(machine.roofline.peak.count)});
  }
  if (machine.roofline.memory_bandwidth.count != 0) {
    std::erase_if(to.lines, [](const predict::RoofLine& line) { return line.limit == Limit::Memory; });
    to.lines.push_back(
        {"memory", Limit::Memory, static_cast<double>(machine.roofline.memory_bandwidth.count)});
  }
  if (to.peak() == 0)
    throw UserError(
        fmt::format("machine {}: roofline.peak: not stated; expected a machine with the peak of its nodes: "
                    "--machine FILE, or "
                    "--machine {} --set roofline.peak='64 GFlop/s'",
                    machine.name, machine.name));
  add_links(to, machine);
  return to;
}

Roofline core_roofs(const Machine& machine) {
  Roofline to{machine.name, {}, {}};
  add_core(to, machine);
  return to;
}

/// Returns the lines of a cycle-level node: its cores, their memory, and the interface.
Roofline node_roofs(const Machine& machine, const NetworkMachine& network) {
  Roofline to{machine.name, {}, {}};
  add_core(to, machine);
  for (predict::RoofLine& line : to.lines)
    if (line.limit == Limit::Flops) line.rate *= machine.node.cores;
  add_links(to, network);
  return to;
}

/// Appends the values of a configuration as settings.
void flatten(const nlohmann::json& from, const std::string& prefix, std::vector<Setting>& settings) {
  for (const auto& [key, value] : from.items()) {
    if (prefix.empty() && key == "name") continue;
    if (value.is_object())
      flatten(value, prefix + key + ".", settings);
    else
      settings.push_back(
          parse_override(prefix + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump())));
  }
}

/// Applies the configuration in a result.
template <class Configured>
std::unique_ptr<Configured> configured(const nlohmann::json& configuration) {
  auto machine = std::make_unique<Configured>();
  machine->name = configuration.value("name", "");
  std::vector<Setting> settings;
  flatten(configuration, "", settings);
  Problems problems;
  machine->schema.apply(settings, problems);
  problems.throw_if_any();
  return machine;
}

/// Returns the roofs of the machine of --machine and --set: a core, or a network whose nodes have roofs.
/// Throws UserError.
Roofline roofs_of(const MachineChoice& choice) {
  return is_network(choice) ? network_roofs(*load_network(choice)) : core_roofs(*load_machine(choice));
}

/// Returns the roofs of the machine in a result of psim run, psim replay or psim net. Throws UserError,
/// without the name of the file.
Roofline roofs_of(const nlohmann::json& result) {
  if (!result.contains("machine")) throw UserError("machine: missing; expected --machine FILE");
  const std::string command = result.value("command", "");
  if (command == "net") return network_roofs(*configured<NetworkMachine>(result["machine"]));
  if (command != "cosim") return core_roofs(*configured<Machine>(result["machine"]));
  const auto node = configured<Machine>(result.at("node"));
  node->name = result["machine"].value("machine", "");
  return node_roofs(*node, *configured<NetworkMachine>(result.at("network")));
}

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
