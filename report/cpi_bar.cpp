// SPDX-License-Identifier: Apache-2.0
#include "report/cpi_bar.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/sections.h"

namespace psim::report {

std::string cpi_bar(const nlohmann::ordered_json& stack, bool small) {
  std::uint64_t total = 0;
  for (const auto& [part, cycles] : stack.items())
    if (cycles.is_number_unsigned()) total += cycles.get<std::uint64_t>();
  if (total == 0) return "";
  std::string parts, text;
  for (const auto& [part, value] : stack.items()) {
    if (!value.is_number_unsigned() || value == 0) continue;
    const auto cycles = value.get<std::uint64_t>();
    const double percent = 100.0 * static_cast<double>(cycles) / static_cast<double>(total);
    const std::string name = escape(label_of(part));
    parts += fmt::format(
        "<span style=\"width:{:.4f}%;background:var(--{})\" title=\"{}: {} cycles, {:.2f} %\">{}</span>",
        percent, escape(part), name, grouped(cycles), percent, !small && percent > 7 ? name : "");
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, percent);
  }
  return fmt::format("<div class=\"stack{}\" role=\"img\" aria-label=\"{}\">{}</div>", small ? " small" : "",
                     small ? text : "CPI stack; the table below has the numbers", parts);
}

}  // namespace psim::report
