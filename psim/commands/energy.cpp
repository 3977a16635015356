// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "energy/coefficients.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"

namespace psim::commands {
namespace {

using nlohmann::json;

struct Options {
  std::string first, second;
  bool all = false;
};

/// What a result says of its energy.
struct Result {
  explicit Result(const std::string& path) : document(read_result(path)) {
    try {
      const json& energy = document.at("energy");
      total = energy.at("total_joules").get<double>();
      watts = energy.at("average_watts").get<double>();
      gating = energy.at("gating").get<std::string>();
      parts = energy.at("by_coefficient").get<std::map<std::string, double>>();
    } catch (const json::exception&) {
      throw UserError(fmt::format("{}: has no energy; expected the result of a run with --energy", path));
    }
    if (!(total > 0)) throw UserError(fmt::format("{}: its energy is nothing", path));
  }
  /// Per cent of the total for one per cent of the coefficient.
  double elasticity(const std::string& key) const {
    const auto found = parts.find(key);
    return found == parts.end() ? 0 : found->second / total;
  }
  /// The value the run had, as text.
  std::string value(const std::string& key) const {
    const json* at = document.contains("machine") ? &document["machine"] : nullptr;
    const std::size_t dot = key.find('.');
    for (const std::string& name : {std::string("energy"), key.substr(0, dot), key.substr(dot + 1)})
      at = at != nullptr && at->is_object() && at->contains(name) ? &(*at)[name] : nullptr;
    return at == nullptr ? "" : at->is_string() ? at->get<std::string>() : at->dump();
  }

  json document;
  double total = 0, watts = 0;
  std::string gating;
  std::map<std::string, double> parts;
};

void print_groups(const Result& result) {
  for (const char* group : {"stages", "structures", "execution", "leakage"}) {
    double sum = 0;
    const json places = result.document["energy"].value(group, json::object());
    for (const auto& [place, energy] : places.items()) sum += energy.get<double>();
    fmt::print("  {:<10} {:>12.6g} J {:>6.2f} %\n", group, sum, 100 * sum / result.total);
  }
}

void print_regions(const Result& result) {
  const json& document = result.document;
  if (!document.contains("regions") || !document.contains("seconds") || !document.contains("cycles")) return;
  const double cycle = document["seconds"].get<double>() / document["cycles"].get<double>();
  for (const json& region : document["regions"]) {
    const double energy = region.value("energy_joules", 0.0), cycles = region.value("cycles", 0.0);
    fmt::print("  region {:<12} {:>12.6g} J {:>8.4g} W\n", region.value("name", ""), energy,
               cycles > 0 ? energy / (cycles * cycle) : 0.0);
  }
}

/// A coefficient and how much what is asked for depends on it.
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

/// A value that is not the table's comes from the user's machine file or --set.
std::string_view source_of(const energy::CoefficientRow& row, const std::string& value) {
  const std::string usual = format_quantity(row.value, row.dimension);
  return value.empty() || value == usual ? row.source : "this run's machine";
}

int run(const Options& options) {
  const Result first(options.first);
  const bool pair = !options.second.empty();
  std::optional<Result> second;
  if (pair) second.emplace(options.second);
  fmt::print("{}: {:.6g} J, {:.4g} W, gating {}\n", options.first, first.total, first.watts, first.gating);
  print_groups(first);
  print_regions(first);
  if (pair) {
    fmt::print("{}: {:.6g} J, {:.4g} W, gating {}\n", options.second, second->total, second->watts,
               second->gating);
    print_groups(*second);
    print_regions(*second);
    fmt::print("ratio: {:.4f}\n", second->total / first.total);
  }
  fmt::print("\nOne per cent more of a coefficient changes the {} by so many per cent:\n",
             pair ? "ratio" : "total");
  for (const Row& row : rows_of(first, pair ? &*second : nullptr, options.all)) {
    const std::string value = first.value(std::string(row.coefficient->key));
    fmt::print("  {:>+8.4f}  {:<28} {:>10}  {}\n", row.elasticity, row.coefficient->key, value,
               source_of(*row.coefficient, value));
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RESULT", options->first, "a result of a run with --energy, as --json writes it")
      ->required();
  app.add_option("OTHER", options->second,
                 "another: how the ratio OTHER / RESULT depends on the coefficients");
  app.add_flag("--all", options->all, "coefficients that hardly matter too");
  return [options] { return run(*options); };
}

}  // namespace

const Command kEnergy{
    .name = "energy",
    .usage = "RESULT [OTHER]",
    .summary = "tell where a run's energy goes and how it depends on each coefficient",
    .examples =
        "  psim run --energy --json scalar.json ./a.out && psim energy scalar.json\n"
        "  psim energy scalar.json simd.json            # the ratio of two runs\n",
    .setup = setup,
};

}  // namespace psim::commands
