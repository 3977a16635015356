// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/output_file.h"
#include "base/read_file.h"
#include "base/result_document.h"
#include "base/sha256.h"
#include "machines/network_machine.h"
#include "netsim/topology/topology.h"
#include "predict/calibration/calibration.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

using nlohmann::ordered_json;
using predict::BenchmarkFile;
using predict::BenchmarkKind;
using predict::BenchmarkTable;
using predict::Calibration;
using predict::CalibrationRow;

struct CalibrateOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string base = kDefaultNetwork, out;
  std::uint32_t routers = 0;  ///< 0: those between nodes 0 and 1 of the base
};

/// A key of the machine file with its value and the reason for it.
struct CalibratedKey {
  std::string key, value, source;
};

constexpr double kPicosecond = 1e-12;
double seconds(Picoseconds time) { return static_cast<double>(time.count()) * kPicosecond; }

/// Returns a time in whole picoseconds.
std::string time_text(double time) {
  return fmt::format("{:.12g} ns", std::round(std::max(0.0, time) / kPicosecond) / 1000);
}
/// Returns a rate of five digits, so that the file shows no more than was measured.
std::string rate_text(double rate) {
  return fmt::format("{} GB/s", std::stod(fmt::format("{:.5g}", rate / 1e9)));
}
std::string size_text(std::uint64_t bytes) { return format_quantity(bytes, Dimension::Size); }

/// Returns the number of routers between the nodes of the measurement.
std::uint32_t routers_between(const CalibrateOptions& options, const NetworkMachine& base) {
  if (options.routers != 0) return options.routers;
  const net::Graph graph = net::make_topology(base.network, 2).graph;
  return graph.node_router[0] == graph.node_router[1] ? 1 : 2;
}

/// Returns a buffer that holds what a channel carries until a credit returns.
std::uint64_t buffer_for(const NetworkMachine& base, const Calibration& found) {
  const double round_trip = 2 * (seconds(base.network.router.pass()) +
                                 std::max(found.interface_delay, seconds(base.network.link.delay)));
  const double bytes = 2 * static_cast<double>(found.costs.payload) + round_trip * found.costs.bandwidth;
  return std::max(base.network.router.buffer.count, std::bit_ceil(static_cast<std::uint64_t>(bytes)));
}

/// Returns the DMA engines of a node: the benchmarks show those that the messages of one port need.
std::uint32_t engines_of_node(const Calibration& found, const NetworkMachine& base) {
  constexpr std::uint32_t kMost = 64;
  if (found.costs.dma_bandwidth == 0) return found.costs.dma_engines;
  return std::min(kMost, found.costs.dma_engines * base.network.nic.ports);
}

/// Returns the keys that the calibration sets, in the order of the machine file.
std::vector<CalibratedKey> keys_of(const Calibration& found, const NetworkMachine& base) {
  const predict::MessageCosts& costs = found.costs;
  const std::string bandwidth = rate_text(costs.bandwidth);
  std::vector<CalibratedKey> keys{
      {"link.bandwidth", bandwidth, "assumption: as nic.bandwidth"},
      {"nic.bandwidth", bandwidth, "calibrated: long messages"},
      {"nic.header", size_text(0), "calibrated: bandwidths are those of the data"},
      {"nic.delay", time_text(found.interface_delay), "calibrated: an empty message"},
      {"nic.payload", size_text(costs.payload),
       found.knee ? "calibrated: knee of the latency" : "assumption: as the base"},
      {"nic.dma_bandwidth", rate_text(costs.dma_bandwidth), "calibrated: messages shorter than a packet"},
      {"nic.dma_engines", std::to_string(engines_of_node(found, base)),
       base.network.nic.ports == 1 ? "calibrated: messages shorter than a packet"
                                   : "calibrated: messages shorter than a packet, for each port"},
      {"nic.dma_startup", time_text(0), "calibrated: in mpi.send_overhead"},
      {"mpi.eager", size_text(costs.eager),
       found.eager_limit ? "calibrated: step of the latency" : "assumption: longest measured message"},
      {"mpi.send_overhead", time_text(costs.overhead),
       found.gap.value > 0 ? "calibrated: rate of small messages" : "assumption"},
      {"mpi.recv_overhead", time_text(costs.overhead),
       found.gap.value > 0 ? "calibrated: rate of small messages" : "assumption"}};
  if (const std::uint64_t buffer = buffer_for(base, found); buffer != base.network.router.buffer.count)
    keys.insert(keys.begin() + 1, {"router.buffer", size_text(buffer), "calibrated: never limits one flow"});
  return keys;
}

/// Returns the text of the machine file. A base in a file is named relative to `out`.
std::string machine_text(const std::vector<CalibratedKey>& keys, const CalibrateOptions& options,
                         const Calibration& found) {
  namespace fs = std::filesystem;
  std::string base = options.base;
  if (base.find('/') != std::string::npos || base.ends_with(".toml"))
    base = fs::proximate(fs::absolute(base), fs::absolute(options.out).parent_path()).string();
  std::vector<std::string> names;
  for (const std::string& file : options.files) names.push_back(fs::path(file).filename().string());
  std::string text = fmt::format(
      "# Made by `psim calibrate` from {}. Mean error {:.1f} %, largest {:.1f} % ({}, {} bytes).\n",
      fmt::join(names, ", "), 100 * found.mean_error(), 100 * found.worst().error(), found.worst().benchmark,
      found.worst().bytes);
  for (const std::string& assumption : found.open) text += fmt::format("# Open: {}.\n", assumption);
  const auto quoted = [](const std::string& value) { return ordered_json(value).dump(); };
  text += fmt::format("base = {}\ndescription = {}\n", quoted(base),
                      quoted(fmt::format("calibrated from {}", fmt::join(names, ", "))));
  std::string section;
  for (const CalibratedKey& key : keys) {
    const std::size_t dot = key.key.find('.');
    if (key.key.substr(0, dot) != section) {
      section = key.key.substr(0, dot);
      text += fmt::format("\n[{}]\n", section);
    }
    const std::string value = key.key == "nic.dma_engines" ? key.value : quoted(key.value);
    text += fmt::format("{} = {{ value = {}, source = {} }}\n", key.key.substr(dot + 1), value,
                        quoted(key.source));
  }
  return text;
}

/// Throws UserError if a value is beyond the limits of its key.
void check_machine(const std::vector<CalibratedKey>& keys, const CalibrateOptions& options) {
  MachineChoice choice{options.base, {}};
  for (const CalibratedKey& key : keys) choice.sets.push_back(key.key + "=" + key.value);
  load_network(choice);
}

void print_rows(const Calibration& found) {
  std::string name;
  for (const CalibrationRow& row : found.rows) {
    const bool latency = row.kind == BenchmarkKind::Latency;
    if (row.benchmark != name) {
      name = row.benchmark;
      console::print("\n{:<16} {:>14} {:>14} {:>9}\n", name, latency ? "measured us" : "measured MB/s",
                     latency ? "model us" : "model MB/s", "error");
    }
    const double unit = latency ? 1e-6 : 1e6;
    console::print("{:>16} {:>14.3f} {:>14.3f} {:>+8.1f} %\n", row.bytes, row.measured / unit,
                   row.fitted / unit, 100 * row.error());
  }
  console::print("\nmean error {:.1f} %, largest {:+.1f} % ({}, {} bytes)\n", 100 * found.mean_error(),
                 100 * found.worst().error(), found.worst().benchmark, found.worst().bytes);
}

void print_keys(const std::vector<CalibratedKey>& keys, const Calibration& found) {
  for (const CalibratedKey& key : keys) console::print("{:<20} {:<14} {}\n", key.key, key.value, key.source);
  console::print("\n");
  const auto line = [](std::string_view what, const predict::FittedValue& value, double unit,
                       const char* name) {
    console::print("{:<34} {:.4g} ± {:.2g} {}\n", what, value.value / unit, value.error / unit, name);
  };
  line("an empty message", found.empty_message, 1e-6, "us");
  line("a byte of the first packet", found.first_byte, 1e-9, "ns");
  line("any other byte", found.other_bytes, 1e-9, "ns");
  if (found.eager_limit) line("the handshake of a rendezvous", found.handshake, 1e-6, "us");
  if (found.gap.value > 0) line("the gap between small messages", found.gap, 1e-6, "us");
  for (const std::string& assumption : found.open) console::print("open: {}\n", assumption);
}

ordered_json json_of(const Calibration& found, const std::vector<CalibratedKey>& keys) {
  ordered_json body;
  for (const CalibratedKey& key : keys)
    body["machine"][key.key] = {{"value", key.value}, {"source", key.source}};
  const auto estimate = [](const predict::FittedValue& value) {
    return ordered_json{{"value", value.value}, {"standard_error", value.error}};
  };
  body["empty_message_s"] = estimate(found.empty_message);
  body["first_byte_s"] = estimate(found.first_byte);
  body["other_byte_s"] = estimate(found.other_bytes);
  if (found.eager_limit) body["handshake_s"] = estimate(found.handshake);
  if (found.gap.value > 0) body["gap_s"] = estimate(found.gap);
  body["mean_error"] = found.mean_error();
  for (const CalibrationRow& row : found.rows)
    body["rows"].push_back(
        {{"benchmark", row.benchmark},
         {"bytes", row.bytes},
         {row.kind == BenchmarkKind::Latency ? "measured_s" : "measured_bytes_per_s", row.measured},
         {row.kind == BenchmarkKind::Latency ? "model_s" : "model_bytes_per_s", row.fitted},
         {"error", row.error()}});
  body["assumptions"] = found.open;
  return body;
}

int calibrate(const CalibrateOptions& options) {
  const std::unique_ptr<NetworkMachine> base = load_network({options.base, {}});
  ResultDocument result("calibrate", options.common.json);
  std::optional<OutputFile> out;
  if (!options.out.empty()) out.emplace(options.out, "--out");
  std::vector<BenchmarkTable> tables;
  for (const std::string& name : options.files) {
    FileBytes file = name == "-" ? read_standard_input() : read_file(name);
    if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", name, file.problem));
    BenchmarkFile found = predict::read_benchmarks(file.bytes, name);
    std::move(found.tables.begin(), found.tables.end(), std::back_inserter(tables));
    for (const std::string& skipped : found.skipped) console::log("psim: {}: not used: {}\n", name, skipped);
    result.body()["inputs"]["files"].push_back({{"name", name}, {"sha256", sha256(file.bytes)}});
  }
  const std::uint32_t routers = routers_between(options, *base);
  const predict::CalibrationBase known{.routers = routers * seconds(base->network.router.pass()) +
                                                  (routers - 1) * seconds(base->network.link.delay),
                                       .payload = base->network.nic.payload.count};
  const Calibration found = predict::calibrate(tables, known);
  const std::vector<CalibratedKey> keys = keys_of(found, *base);
  check_machine(keys, options);
  if (!options.common.quiet) {
    print_keys(keys, found);
    print_rows(found);
  }
  result.body()["base"] = options.base;
  result.body()["routers"] = routers;
  const ordered_json body = json_of(found, keys);
  for (const auto& item : body.items()) result.body()[item.key()] = item.value();
  if (out) out->write(machine_text(keys, options, found)), out->commit();
  result.finish();
  return 0;
}

std::function<int()> set_up_calibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  app.add_option("FILE…", options->files,
                 "output of osu_latency, osu_bw, osu_mbw_mr (one pair), IMB PingPong or IMB Uniband; - is "
                 "standard input")
      ->required();
  app.add_option(
         "--base", options->base,
         fmt::format("network machine that gives what the benchmarks cannot show: topology, routers [{}]",
                     kDefaultNetwork))
      ->type_name("FILE|NAME");
  app.add_option("--routers", options->routers,
                 "routers between the two measured nodes [those between nodes 0 and 1 of the base]")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  app.add_option("-o,--out", options->out, "write a machine file for `psim net --machine`")
      ->type_name("FILE.toml");
  add_common(app, options->common, kJson | kQuiet);
  return [options] { return calibrate(*options); };
}

}  // namespace

const Command kCalibrate{
    .name = "calibrate",
    .usage = "FILE…",
    .summary = "fit a network machine to point-to-point benchmarks of a real cluster",
    .examples =
        "  psim calibrate -o cluster.toml osu_latency.txt osu_bw.txt\n"
        "  psim calibrate --base fat_tree --routers 1 -o cluster.toml imb.txt\n"
        "  mpirun -n 2 osu_latency | psim calibrate -\n",
    .setup = set_up_calibrate,
};

}  // namespace psim::commands
