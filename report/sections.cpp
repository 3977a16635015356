// SPDX-License-Identifier: Apache-2.0
#include "report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/cpi_bar.h"
#include "report/html.h"
#include "report/table.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

bool has_number(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_number();
}

/// Returns a value for readers: whole numbers grouped, others with six digits, text unchanged.
std::string shown(const Json& value) {
  if (value.is_number_unsigned()) return count(value.get<std::uint64_t>());
  if (value.is_number_integer()) return escape(value.dump());
  if (value.is_number()) return number(value.get<double>(), value.dump());
  if (value.is_string()) return escape(value.get<std::string>());
  return escape(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Returns the name of a part of the CPI stack, after its colour.
std::string part_name(const std::string& part) {
  return fmt::format("<i class=\"swatch\" style=\"background:var(--{})\"></i>{}", escape(part),
                     escape(label_of(part)));
}

}  // namespace

std::string shown_value(std::string_view key, const Json& value) {
  if (!value.is_number()) return shown(value);
  if (key.ends_with("joules")) return joules_of(value.get<double>());
  if (key.ends_with("seconds")) return time_of(value.get<double>());
  if (key.ends_with("_bytes")) return shown(value) + " bytes";
  return shown(value);
}

std::string joules_of(double joules) { return quantity(joules, "J"); }
std::string time_of(double seconds) { return quantity(seconds, "s"); }

std::string label_of(std::string_view key) {
  std::string label(key);
  for (char& c : label)
    if (c == '_') c = ' ';
  // The unit stands next to the numbers.
  if (label.ends_with(" joules")) {
    label.resize(label.size() - std::string_view(" joules").size());
    if (label.find("energy") == label.npos) label += " energy";
  }
  if (label == "l1") return "L1";
  if (label == "l2") return "L2";
  if (label == "sbm") return "SBM";
  if (label == "c w1") return "C, W1";
  if (label.starts_with("fp ")) return "FP" + label.substr(2);
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z')
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

std::string cpi_section(const Json& result) {
  if (!result.contains("cpi_stack") || !result.at("cpi_stack").is_object()) return "";
  const Json& stack = result.at("cpi_stack");
  std::uint64_t total = 0;
  for (const auto& [part, cycles] : stack.items())
    if (cycles.is_number_unsigned()) total += cycles.get<std::uint64_t>();
  if (total == 0) return "";
  const double instructions =
      has_number(result, "instructions") ? result.at("instructions").get<double>() : 0;

  const auto per_instruction = [&](std::uint64_t cycles) {
    return instructions > 0 ? fmt::format("{:.4f}", static_cast<double>(cycles) / instructions) : "";
  };
  Table table("CPI stack", {{"Part", Table::Kind::Text}, {"Cycles"}, {"Share"}, {"Cycles per instruction"}});
  for (const auto& [part, value] : stack.items()) {
    if (!value.is_number_unsigned()) continue;
    const auto cycles = value.get<std::uint64_t>();
    table.add({part_name(part), count(cycles),
               fmt::format("{:.2f} %", 100.0 * static_cast<double>(cycles) / static_cast<double>(total)),
               per_instruction(cycles)});
  }
  table.add_total({"All", count(total), "100.00 %", per_instruction(total)});
  return "<section aria-labelledby=\"cpi\"><h2 id=\"cpi\">Where the cycles go</h2>\n" +
         cpi_bar(stack, false) + "\n" + table.html() + "</section>\n";
}

namespace {

constexpr std::size_t kMostDetailedRegions = 50;

/// Returns one region's CPI stack, and the statistics that are not 0.
std::string region_detail(const std::string& name, const Json& stack, const Json& components) {
  std::string out = cpi_bar(stack, false);
  Table parts("CPI stack of " + name, {{"Part", Table::Kind::Text}, {"Cycles"}});
  for (const auto& [part, cycles] : stack.items())
    if (cycles.is_number_unsigned() && cycles != 0) parts.add({part_name(part), shown(cycles)});
  if (!out.empty()) out += parts.html();
  Table statistics("Statistics of " + name, {{"Statistic", Table::Kind::Text}, {"Value"}});
  bool any = false;
  for (const auto& [component, values] : components.items())
    for (const auto& [key, value] : values.items()) {
      if (!value.is_number() || value == 0) continue;
      any = true;
      statistics.add({fmt::format("<code>{}.{}</code>", escape(component), escape(key)), shown(value)});
    }
  return any ? out + statistics.html() : out;
}

std::string region_details(const Json& regions) {
  std::string out;
  std::size_t detailed = 0;
  for (const Json& region : regions) {
    if (detailed == kMostDetailedRegions) break;
    const Json args = region.value("args", Json::array());
    const std::string name =
        "region " + escape(region.value("name", "")) + (args.empty() ? "" : " " + shown(args));
    const std::string detail = region_detail(name, region.value("cpi_stack", Json::object()),
                                             region.value("statistics", Json::object()));
    if (detail.empty()) continue;
    ++detailed;
    out += "<details><summary>CPI stack and statistics of " + name + "</summary>" + detail + "</details>\n";
  }
  return out;
}

/// Returns how busy the SIMD-PEs are in each region that uses them, and how long the core waits for block
/// transfers.
std::string pe_table(const Json& result) {
  const Json& regions = result.at("regions");
  const Json pes = result.value("/machine/simd/pes"_json_pointer, Json());
  Table table("SIMD-PEs by region", {{"Region", Table::Kind::Text},
                                     {"Cycles"},
                                     {"Occupancy of the PEs"},
                                     {"Cycles of work"},
                                     {"Cycles of waiting for transfers"},
                                     {"Cycles with transfers under way"},
                                     {"Bytes to SBM"},
                                     {"Bytes from SBM"}});
  bool any = false;
  for (const Json& region : regions) {
    const Json simd = region.value("/statistics/simd"_json_pointer, Json());
    if (!simd.is_object() || simd.value("instructions", Json(0)) == 0 || !pes.is_number_unsigned() ||
        pes == 0 || !has_number(region, "cycles") || region["cycles"] == 0)
      continue;
    any = true;
    const auto cycles = region["cycles"].get<std::uint64_t>();
    const auto waiting = region.value("/cpi_stack/transfer"_json_pointer, std::uint64_t{0});
    const double share = simd.value("operations", 0.0) / (static_cast<double>(cycles) * pes.get<double>());
    const auto of_all = [&](std::uint64_t part) {
      return fmt::format("{} ({:.1f} %)", shown(Json(part)),
                         100.0 * static_cast<double>(part) / static_cast<double>(cycles));
    };
    const Json transfers = region.value("/statistics/transfers"_json_pointer, Json::object());
    table.add(
        {escape(region.value("name", "")), shown(region["cycles"]), fmt::format("{:.1f} %", 100 * share),
         of_all(cycles - waiting), of_all(waiting), of_all(transfers.value("busy_cycles", std::uint64_t{0})),
         shown(transfers.value("bytes_read", Json(0))), shown(transfers.value("bytes_written", Json(0)))});
  }
  return any ? "<p class=\"dim\">Occupancy is the operations of the enabled PEs per cycle and PE.</p>\n" +
                   table.html()
             : "";
}

}  // namespace

std::string regions_section(const Json& result) {
  if (!result.contains("regions") || !result.at("regions").is_array()) return "";
  std::string out = "<section aria-labelledby=\"regions\"><h2 id=\"regions\">Regions</h2>\n";
  const Json& regions = result.at("regions");
  if (regions.empty()) {
    return out +
           "<p class=\"dim\">The program marks none. <code>PSIM_REGION_BEGIN(\"name\", n)</code> and "
           "<code>PSIM_REGION_END</code> in its source would measure a part of it here.</p></section>\n";
  }
  // The columns are those of the first region, so that the table shows exactly the measured values.
  std::vector<std::string> keys;
  for (const auto& [key, value] : regions[0].items())
    if (!value.is_object() && (key == "name" || !value.is_array() || key == "args")) keys.push_back(key);
  std::vector<std::string> labels;
  for (const std::string& key : keys) labels.push_back(escape(label_of(key)));
  std::vector<Table::Column> columns;
  for (std::size_t i = 0; i < keys.size(); ++i)
    columns.push_back({labels[i], keys[i] == "name" ? Table::Kind::Text : Table::Kind::Number});
  columns.push_back({"IPC"});
  columns.push_back({"Where the cycles go", Table::Kind::Text});
  Table table("Regions, summed over their executions", std::move(columns));
  for (const Json& region : regions) {
    std::vector<std::string> cells;
    for (const std::string& key : keys)
      cells.push_back(region.contains(key) ? shown_value(key, region[key]) : "");
    const bool both =
        has_number(region, "cycles") && has_number(region, "instructions") && region["cycles"] != 0;
    cells.push_back(
        both ? fmt::format("{:.3f}", region["instructions"].get<double>() / region["cycles"].get<double>())
             : "");
    cells.push_back(cpi_bar(region.value("cpi_stack", Json::object()), true));
    table.add(cells);
  }
  return out + table.html() + "\n" + pe_table(result) + region_details(regions) + "</section>\n";
}

std::string assumptions_section(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return "";
  std::string out =
      "<section aria-labelledby=\"assumptions\"><h2 id=\"assumptions\">Assumptions</h2>\n<ul>\n";
  for (const std::string& one : sentences) out += "<li>" + escape(one) + "</li>\n";
  return out + "</ul></section>\n";
}

std::string machine_section(const Json& result) {
  if (!result.contains("machine") || !result.at("machine").is_object()) return "";
  // Some results have only its name and hash.
  if (std::ranges::none_of(result.at("machine"), [](const Json& value) { return value.is_object(); }))
    return "";
  std::string rows;
  const auto add = [&rows](const std::string& key, const Json& value) {
    rows += fmt::format("<tr><td class=\"mono\">{}</td><td class=\"n\">{}</td></tr>\n", escape(key),
                        shown(value));
  };
  for (const auto& [key, value] : result.at("machine").items()) {
    if (!value.is_object()) {
      add(key, value);
      continue;
    }
    // Tables are nested: "memory": {"l1d": {"size": …}}.
    const auto walk = [&](const auto& self, const std::string& prefix, const Json& table) -> void {
      for (const auto& [name, inner] : table.items())
        inner.is_object() ? self(self, prefix + "." + name, inner) : add(prefix + "." + name, inner);
    };
    walk(walk, key, value);
  }
  return "<section aria-labelledby=\"machine\"><h2 id=\"machine\">Machine</h2>\n"
         "<p class=\"dim\">The effective configuration. <code>psim config explain KEY</code> explains a "
         "key.</p>\n"
         "<details><summary>All keys</summary><div class=\"scroll\"><table><caption>Effective "
         "configuration</caption><thead><tr><th "
         "scope=\"col\">Key</th>"
         "<th class=\"n\" scope=\"col\">Value</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></details></section>\n";
}

std::string identity_section(const Json& result) {
  std::string rows;
  const auto add = [&rows](const std::string& name, const std::string& value) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"mono\">{}</td></tr>\n", name, value);
  };
  for (const char* key : {"version", "command", "seed"})
    if (result.contains(key)) add(label_of(key), shown(result[key]));
  if (result.contains("result_hash")) add("Result hash", shown(result.at("result_hash")));
  const Json inputs = result.value("inputs", Json::object()), host = result.value("host", Json::object());
  for (const auto& [role, input] : inputs.items()) {
    std::string path;
    if (host.contains("inputs") && host.at("inputs").contains(role))
      path = shown(host.at("inputs")[role]) + "<br>";
    if (input.is_object() && input.contains("sha256"))
      path += "SHA-256 " + shown(input["sha256"]) +
              (input.contains("bytes") ? ", " + shown(input["bytes"]) + " bytes" : "");
    if (input.is_array())  // hashes of results
      for (const Json& one : input) path += shown(one) + "<br>";
    if (!path.empty()) add("Input: " + escape(role), path);
  }
  for (const auto& [key, name] :
       {std::pair("wall_seconds", "elapsed time"), {"cpu_seconds", "CPU time"}, {"peak_rss_bytes", "memory"}})
    if (host.contains(key)) add(std::string("Host: ") + name, shown_value(key, host[key]));
  return "<section aria-labelledby=\"identity\"><h2 id=\"identity\">Identity</h2>\n"
         "<p class=\"dim\">The same inputs, machine and seed give the same result hash on any host.</p>\n"
         "<div class=\"scroll\"><table><caption>Identity of this run</caption><tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

}  // namespace psim::report
