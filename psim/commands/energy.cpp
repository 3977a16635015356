// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "energy/coefficients.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "psim/cosim/energy_result.h"

namespace psim::commands {
namespace {

using nlohmann::json;

struct EnergyOptions {
  std::string first, second, region;
  bool all = false;
};

constexpr const char* kGroups[] = {"stages", "structures", "execution", "leakage"};

/// The energy of a result, or of all its regions of one name.
struct Result {
  Result(const std::string& path, json result, const std::string& region) : document(std::move(result)) {
    try {
      if (region.empty()) {
        add(document.at("energy"));
      } else {
        std::vector<std::string> names;
        for (const json& each : document.at("regions")) {
          names.push_back(each.at("name").get<std::string>());
          if (names.back() == region) add(each.at("energy"));
        }
        if (parts.empty())
          throw UserError(
              fmt::format("--region {}: not in {}{}", region, path,
                          did_you_mean(region, names,
                                       names.empty() ? "it has no regions" : "there is " + names.front())));
      }
      seconds = document.at("seconds").get<double>() / document.at("cycles").get<double>();
    } catch (const json::exception&) {
      if (document.contains("sample"))
        throw UserError(fmt::format(
            "{}: a sampled run has no energy by coefficient; expected a run without --sample", path));
      throw UserError(fmt::format("{}: has no energy; expected the result of a run with --energy", path));
    }
    if (!(total > 0))
      throw UserError(fmt::format("{}: total energy is 0 J; there is nothing to analyse", path));
  }
  void add(const json& energy) {
    const double joules = energy.at("total_joules").get<double>();
    const double power = energy.at("average_watts").get<double>();
    // The average power covers the sum of the times.
    const double time = (total > 0 ? total / watts : 0) + (power > 0 ? joules / power : 0);
    total += joules;
    watts = time > 0 ? total / time : 0;
    gating = energy.at("gating").get<std::string>();
    for (const auto& [key, part] : energy.at("by_coefficient").items()) parts[key] += part.get<double>();
    for (const std::string group : {"stages", "structures", "execution", "leakage", "classes"})
      for (const auto& [component, part] : energy.at(group).items())
        components[group][component] += part.get<double>();
  }
  /// Returns the change of the total in per cent if the coefficient changes by one per cent.
  double elasticity(const std::string& key) const {
    const auto found = parts.find(key);
    return found == parts.end() ? 0 : found->second / total;
  }
  /// Returns the value used in the run, as text.
  std::string value(const std::string& key) const {
    const json* at = document.contains("machine") ? &document["machine"] : nullptr;
    const std::size_t dot = key.find('.');
    for (const std::string& name : {std::string("energy"), key.substr(0, dot), key.substr(dot + 1)})
      at = at != nullptr && at->is_object() && at->contains(name) ? &(*at)[name] : nullptr;
    return at == nullptr ? "" : at->is_string() ? at->get<std::string>() : at->dump();
  }

  json document;
  double total = 0, watts = 0, seconds = 0;
  std::string gating;
  std::map<std::string, double> parts;                              ///< by coefficient
  std::map<std::string, std::map<std::string, double>> components;  ///< of each group, and of "classes"
};

void print_line(const std::string& indent, const std::string& what, double joules, double total) {
  console::print("{:<24} {:>12.6g} J {:>6.2f} %\n", indent + what, joules, 100 * joules / total);
}

/// Prints the parts of one division, the largest first. Without `all` only those of at least a hundredth of
/// the total.
void print_parts(const Result& result, const std::string& division, bool all) {
  std::vector<std::pair<std::string, double>> parts;
  for (const auto& [name, joules] : result.components.at(division))
    if (joules != 0 && (all || joules >= 0.01 * result.total)) parts.emplace_back(name, joules);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [name, joules] : parts) print_line("    ", name, joules, result.total);
}

void print_result(const std::string& path, const Result& result, const EnergyOptions& options, bool parts) {
  console::print("{}{}: {:.6g} J, {:.4g} W, gating {}\n", path,
                 options.region.empty() ? "" : ", region " + options.region, result.total, result.watts,
                 result.gating);
  for (const char* group : kGroups) {
    double sum = 0;
    for (const auto& [component, joules] : result.components.at(group)) sum += joules;
    print_line("  ", group, sum, result.total);
    if (parts) print_parts(result, group, options.all);
  }
  if (parts) {
    console::print("  by class of instruction\n");
    print_parts(result, "classes", options.all);
  }
  if (!options.region.empty() || !result.document.contains("regions")) return;
  for (const json& region : result.document["regions"]) {
    const double energy = region.value("energy_joules", 0.0), cycles = region.value("cycles", 0.0);
    console::print("  region {:<15}  {:>12.6g} J {:>8.4g} W\n", region.value("name", ""), energy,
                   cycles > 0 ? energy / (cycles * result.seconds) : 0.0);
  }
}

/// A coefficient, and the influence that it has on the requested quantity.
struct Row {
  const energy::CoefficientRow* coefficient;
  double elasticity;
};

std::vector<Row> rows_of(const Result& first, const Result* second, bool all) {
  std::vector<Row> rows;
  for (const energy::CoefficientRow& row : energy::coefficient_table()) {
    const std::string key(row.key);
    const double elasticity =
        second != nullptr ? second->elasticity(key) - first.elasticity(key) : first.elasticity(key);
    constexpr double kSmall = 0.0005;
    if (all || std::abs(elasticity) >= kSmall) rows.push_back({&row, elasticity});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::abs(a.elasticity) > std::abs(b.elasticity);
  });
  return rows;
}

/// Returns the source of a value: one that differs from the table's comes from the user's machine file or
/// --set.
std::string_view source_of(const energy::CoefficientRow& row, const std::string& value) {
  const std::string usual = format_quantity(row.value, row.dimension);
  return value.empty() || value == usual ? row.source : "this run's machine";
}

/// Prints the account of a run of psim cosim.
int show_machine(const json& document, const EnergyOptions& options) {
  for (const auto& [given, name] :
       {std::pair{!options.second.empty(), "OTHER"}, {!options.region.empty(), "--region"}})
    if (given)
      throw UserError(fmt::format("{}: a result of psim cosim has no energy by coefficient; expected no {}",
                                  options.first, name));
  if (!document.contains("energy"))
    throw UserError(
        fmt::format("{}: has no energy; expected the result of a run with --energy", options.first));
  console::print("{}: {}{}", options.first, machine_energy_lines(document["energy"]),
                 machine_energy_rows(document["energy"], options.all));
  return 0;
}

int run(const EnergyOptions& options) {
  json document = read_result(options.first);
  if (document.value("command", "") == "cosim") return show_machine(document, options);
  const Result first(options.first, std::move(document), options.region);
  const bool pair = !options.second.empty();
  std::optional<Result> second;
  if (pair) second.emplace(options.second, read_result(options.second), options.region);
  print_result(options.first, first, options, !pair);
  if (pair) {
    print_result(options.second, *second, options, false);
    console::print("ratio: {:.4f}\n", second->total / first.total);
  }
  console::print("\nChange of the {} in per cent if a coefficient grows by 1 %:\n", pair ? "ratio" : "total");
  for (const Row& row : rows_of(first, pair ? &*second : nullptr, options.all)) {
    const std::string value = first.value(std::string(row.coefficient->key));
    console::print("  {:>+8.4f}  {:<28} {:>10}  {}\n", row.elasticity, row.coefficient->key, value,
                   source_of(*row.coefficient, value));
  }
  return 0;
}

std::function<int()> set_up_energy(CLI::App& app) {
  auto options = std::make_shared<EnergyOptions>();
  app.add_option("RESULT", options->first, "a result of a run with --energy, as --json writes it")
      ->required();
  app.add_option("OTHER", options->second,
                 "another result: show how the ratio OTHER / RESULT depends on the coefficients");
  app.add_option("--region", options->region, "analyse only the regions of this name")->type_name("NAME");
  app.add_flag("--all", options->all, "print all parts and coefficients, also those that hardly matter");
  return [options] { return run(*options); };
}

}  // namespace

const Command kEnergy{
    .name = "energy",
    .usage = "RESULT [OTHER]",
    .summary = "show where a run's energy goes and how it depends on each coefficient",
    .examples =
        "  psim run --energy --json scalar.json ./a.out && psim energy scalar.json\n"
        "  psim energy scalar.json simd.json            # the ratio of two runs\n"
        "  psim energy --region dgemm scalar.json simd.json\n"
        "  psim energy nodes.json                       # of psim cosim: by node, rank, region, MPI "
        "function\n",
    .setup = set_up_energy,
};

}  // namespace psim::commands
