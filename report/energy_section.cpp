// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/html.h"
#include "report/sections.h"
#include "report/table.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kGroups[] = {"stages", "structures", "execution", "leakage"};

struct Part {
  std::string name;  // safe for HTML
  double joules;
};

std::vector<Part> parts_of(const Json& energy, const char* key, bool label) {
  std::vector<Part> parts;
  if (!energy.contains(key) || !energy[key].is_object()) return parts;
  for (const auto& [name, value] : energy[key].items())
    if (value.is_number() && value != 0.0)
      parts.push_back({escape(label ? label_of(name) : name), value.get<double>()});
  return parts;
}

double sum_of(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.joules;
  return sum;
}

/// Returns one row for each part, with a bar whose length is its share of the largest.
std::string table(std::string_view title, const std::vector<Part>& parts, double total, const char* colour) {
  if (parts.empty()) return "";
  double most = 0;
  for (const Part& part : parts) most = std::max(most, part.joules);
  std::string out = fmt::format(
      "<div class=\"scroll\"><table><caption>Energy: {0}</caption><thead><tr><th scope=\"col\">{0}</th><th "
      "class=\"n\" "
      "scope=\"col\">Energy</th>"
      "<th class=\"n\" scope=\"col\">Share</th><td></td></tr></thead><tbody>\n",
      title);
  for (const Part& part : parts)
    out += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.2f} %</td><td class=\"wide\"><i "
        "class=\"meter\" "
        "style=\"width:{:.2f}%;background:var(--{})\"></i></td></tr>\n",
        part.name, joules_of(part.joules), 100 * part.joules / total,
        most > 0 ? std::max(0.0, 100 * part.joules / most) : 0.0, colour);
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string energy_section(const Json& result) {
  if (!result.contains("energy") || !result.at("energy").is_object()) return "";
  const Json& energy = result.at("energy");
  if (!energy.contains("total_joules") || !energy.at("total_joules").is_number()) return "";
  const double total = energy.at("total_joules").get<double>();
  if (!(total > 0)) return "";

  std::string bar;
  Table groups("Energy by group", {{"Part", Table::Kind::Text}, {"Energy"}, {"Share"}});
  for (const char* group : kGroups) {
    const double joules = sum_of(parts_of(energy, group, false));
    const double percent = 100 * joules / total;
    const std::string name = label_of(group);
    if (joules > 0)
      bar += fmt::format(
          "<span style=\"width:{:.4f}%;background:var(--energy_{})\" title=\"{}: {:.2f} %\">{}</span>",
          percent, group, name, percent, percent > 7 ? name : "");
    groups.add({fmt::format("<i class=\"swatch\" style=\"background:var(--energy_{})\"></i>{}", group, name),
                joules_of(joules), fmt::format("{:.2f} %", percent)});
  }
  groups.add_total({"All", joules_of(total), "100.00 %"});
  std::string out = fmt::format(
      "<section aria-labelledby=\"energy\"><h2 id=\"energy\">Where the energy goes</h2>\n"
      "<p class=\"note\">Latches that move in each stage, accesses to structures, operations, leakage; "
      "gating {}.</p>\n"
      "<div class=\"stack\" role=\"img\" aria-label=\"energy by group; the table below has the "
      "numbers\">{}</div>\n{}\n",
      escape(energy.value("gating", "")), bar, groups.html());
  out += "<details open><summary>By stage</summary>" +
         table("Stage", parts_of(energy, "stages", false), total, "energy_stages") + "</details>\n";
  std::vector<Part> classes = parts_of(energy, "classes", true);
  std::stable_sort(classes.begin(), classes.end(),
                   [](const Part& a, const Part& b) { return a.joules > b.joules; });
  out += "<details><summary>By instruction class</summary>" + table("Class", classes, total, "accent") +
         "</details>\n<details><summary>By structure and unit</summary>" +
         table("Structure", parts_of(energy, "structures", true), total, "energy_structures") +
         table("Unit", parts_of(energy, "execution", true), total, "energy_execution") +
         table("Leakage of", parts_of(energy, "leakage", true), total, "energy_leakage") + "</details>\n";
  return out + "</section>\n";
}

}  // namespace psim::report
