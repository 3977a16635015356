// SPDX-License-Identifier: Apache-2.0
#include "papers/network_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/parse_number.h"
#include "base/run_progress.h"
#include "papers/psim_process.h"

namespace psim::reproduce {
namespace {

namespace fs = std::filesystem;

/// Returns {"result": the result of psim net, "output": the program's output}, as text.
std::string simulate_one(const NetworkRun& run, const std::string& into) {
  std::vector<std::string> words{"net", "--machine", run.machine, "-n", std::to_string(run.ranks)};
  for (const std::string& setting : run.settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), run.options.begin(), run.options.end());
  words.push_back(program_directory() + "/" + run.program);
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  const PsimOutcome outcome = run_psim(std::move(words), run.label(), into);
  return nlohmann::ordered_json{{"result", nlohmann::ordered_json::parse(outcome.json)},
                                {"output", outcome.output}}
      .dump();
}

NetworkCost cost_of(const std::string& text) {
  const auto both = nlohmann::ordered_json::parse(text);
  const nlohmann::ordered_json& result = both["result"];
  NetworkCost cost;
  cost.output = both["output"].get<std::string>();
  cost.seconds = result["seconds"].get<double>();
  cost.messages = result["messages"].get<std::uint64_t>();
  cost.packets = result["packets"].get<std::uint64_t>();
  cost.packet_hops = result["packet_hops"].get<std::uint64_t>();
  cost.cpu_seconds = result["host"]["cpu_seconds"].get<double>();
  cost.wall_seconds = result["host"]["wall_seconds"].get<double>();
  cost.peak_rss_bytes = result["host"]["peak_rss_bytes"].get<std::uint64_t>();
  if (result.contains("link_energy")) {
    cost.joules = result["link_energy"]["joules"].get<double>();
    cost.watts = result["link_energy"]["watts"].get<double>();
  }
  return cost;
}

}  // namespace

std::string NetworkRun::label() const {
  return fmt::format("{} {}, {} ranks", program, fmt::join(arguments, " "), ranks);
}

double NetworkCost::printed(const std::string& unit) const {
  const std::size_t end = output.find(unit);
  if (end == std::string::npos) throw std::runtime_error(fmt::format("no{} in \"{}\"", unit, output));
  const std::size_t begin = output.find_last_of(' ', end - 1) + 1;
  const auto value = parse_number<double>(std::string_view(output).substr(begin, end - begin));
  if (!value) throw std::runtime_error(fmt::format("no number before{} in \"{}\"", unit, output));
  return *value;
}

std::string program_directory() {
  const fs::path directory = share_path("mgen");
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw UserError(fmt::format("{}: does not exist; expected a program that is built with psim: build again",
                                directory.string()));
  return directory.string();
}

std::vector<NetworkCost> simulate(const std::vector<NetworkRun>& runs, const SimulationOptions& options) {
  prepare_to_keep(options.into);
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const NetworkRun& run : runs) {
    labels.push_back(run.label());
    tasks.push_back({[&run, &options]() { return simulate_one(run, options.into); }});
  }
  const std::vector<std::string> results = do_all_shown(tasks, labels, options.jobs, options.quiet);
  std::vector<NetworkCost> costs;
  for (const std::string& result : results) costs.push_back(cost_of(result));
  return costs;
}

nlohmann::ordered_json json_of(const NetworkRun& run, const NetworkCost& cost) {
  return {{"program", run.program},         {"arguments", run.arguments}, {"ranks", run.ranks},
          {"seconds", cost.seconds},        {"messages", cost.messages},  {"packets", cost.packets},
          {"packet_hops", cost.packet_hops}};
}

nlohmann::ordered_json host_json_of(const NetworkCost& cost) {
  return {{"cpu_seconds", cost.cpu_seconds},
          {"wall_seconds", cost.wall_seconds},
          {"peak_rss_bytes", cost.peak_rss_bytes},
          {"packet_hops_per_second", static_cast<double>(cost.packet_hops) / cost.cpu_seconds}};
}

}  // namespace psim::reproduce
