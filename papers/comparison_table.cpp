// SPDX-License-Identifier: Apache-2.0
#include "papers/comparison_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace psim::reproduce {
namespace {

std::string value_cells(const Comparison& comparison, const std::optional<double>& value) {
  if (!value) return fmt::format("{:>10}{:>9}", "-", "");
  return fmt::format("{:>10.4g}{:>+7.1f} %", *value, 100 * comparison.error_of(*value));
}

nlohmann::ordered_json number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string table_of(std::string_view title, const std::vector<Comparison>& comparisons) {
  std::string text = fmt::format("{:<22}{:>10}{:>10}{:>9}{:>10}{:>9}{:>8}\n", title, "paper", "ours: run",
                                 "error", "fit", "error", "goal");
  for (const Comparison& comparison : comparisons) {
    const std::string name =
        comparison.unit.empty() ? comparison.quantity : comparison.quantity + ", " + comparison.unit;
    text += fmt::format("{:<22}{:>10.5g}{}{}{:>6g} %{}\n", name, comparison.paper,
                        value_cells(comparison, comparison.run), value_cells(comparison, comparison.fit),
                        100 * comparison.goal, comparison.within() ? "" : "  miss");
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<Comparison>& comparisons) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Comparison& comparison : comparisons) {
    const auto error = [&](const std::optional<double>& value) {
      return value ? std::optional(comparison.error_of(*value)) : std::nullopt;
    };
    rows.push_back({{"quantity", comparison.quantity},
                    {"unit", comparison.unit},
                    {"paper", comparison.paper},
                    {"run", number(comparison.run)},
                    {"fit", number(comparison.fit)},
                    {"error_run", number(error(comparison.run))},
                    {"error_fit", number(error(comparison.fit))},
                    {"goal", comparison.goal},
                    {"within", comparison.within()}});
  }
  return rows;
}

}  // namespace psim::reproduce
