// SPDX-License-Identifier: Apache-2.0
#include "report/profile/profile_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/cpi_bar.h"
#include "report/html.h"
#include "report/table.h"

namespace psim::report {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

std::uint64_t number_of(const Json& row, const char* key) { return row.value(key, std::uint64_t{0}); }

/// Returns an empty text for 0, the value of most cells.
std::string count_or_blank(std::uint64_t value) { return value == 0 ? "" : count(value); }

std::string percent_cell(std::uint64_t part, std::uint64_t all) {
  const double percent = all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
  return fmt::format("<data value=\"{}\">{:.2f} %</data>", part, percent);
}

/// Returns a bar whose length is the share of the hottest row.
std::string heat(std::uint64_t cycles, std::uint64_t most) {
  return fmt::format("<i class=\"meter\" style=\"width:{:.2f}%;background:var(--memory)\"></i>",
                     most == 0 ? 0.0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(most));
}

std::string ipc_cell(const Json& row) {
  const std::uint64_t cycles = number_of(row, "cycles");
  if (cycles == 0) return "";
  const double ipc = static_cast<double>(number_of(row, "instructions")) / static_cast<double>(cycles);
  return fmt::format("<data value=\"{0:.6g}\">{0:.2f}</data>", ipc);
}

std::string location_cell(const Json& row) {
  if (!row.contains("file")) return "";
  const std::string file = row["file"].get<std::string>();
  return fmt::format("<span title=\"{0}:{2}\">{1}:{2}</span>", escape(file),
                     escape(file.substr(file.rfind('/') + 1)), row.value("line", 0));
}

void add_counts(std::vector<std::string>& cells, const Json& row) {
  for (const char* key :
       {"l1i_misses", "l1d_misses", "l2_misses", "mispredictions", "store_l1d_misses", "store_l2_misses"})
    cells.push_back(count_or_blank(number_of(row, key)));
}

std::string stack_cell(const Json& row) { return cpi_bar(row.value("cpi_stack", Json::object()), true); }

void add_count_columns(std::vector<Table::Column>& columns) {
  for (const char* name : {"L1I misses", "L1D misses", "L2 misses", "Mispredicted", "L1D misses of stores",
                           "L2 misses of stores"})
    columns.push_back({name});
}

constexpr Table::Column kStackColumn{"Where the cycles go", Kind::Text};

std::string functions_table(const Json& functions, std::uint64_t all) {
  std::vector<Table::Column> columns{{"Function", Kind::Text}, {"Cycles"}, {"Share"},        kStackColumn,
                                     {"With calls"},           {"Calls"},  {"Instructions"}, {"IPC"}};
  add_count_columns(columns);
  Table table("Functions; their cycles without those of the functions that they call", columns);
  for (const Json& f : functions) {
    std::vector<std::string> cells{fmt::format("<code>{}</code> <span class=\"dim\">{}</span>",
                                               escape(f.value("name", "")), location_cell(f)),
                                   count(number_of(f, "cycles")),
                                   percent_cell(number_of(f, "cycles"), all),
                                   stack_cell(f),
                                   percent_cell(number_of(f, "inclusive_cycles"), all),
                                   count_or_blank(number_of(f, "calls")),
                                   count(number_of(f, "instructions")),
                                   ipc_cell(f)};
    add_counts(cells, f);
    table.add(cells);
  }
  return table.html();
}

std::string lines_table(const Json& lines, std::uint64_t all) {
  std::vector<Table::Column> columns{{"Line", Kind::Text}, {"Cycles"},       {"Share"},
                                     kStackColumn,         {"Instructions"}, {"IPC"}};
  add_count_columns(columns);
  Table table("Source lines, inlined copies included", columns);
  for (const Json& line : lines) {
    std::vector<std::string> cells{location_cell(line),
                                   count(number_of(line, "cycles")),
                                   percent_cell(number_of(line, "cycles"), all),
                                   stack_cell(line),
                                   count(number_of(line, "instructions")),
                                   ipc_cell(line)};
    add_counts(cells, line);
    table.add(cells);
  }
  return table.html();
}

std::string listing_table(const Json& listing) {
  const Json& instructions = listing["instructions"];
  std::uint64_t most = 0;
  for (const Json& one : instructions) most = std::max(most, number_of(one, "cycles"));
  std::vector<Table::Column> columns{{"Address", Kind::Text},
                                     {"Heat", Kind::Text},
                                     {"Instruction", Kind::Text},
                                     {"Cycles"},
                                     kStackColumn,
                                     {"Executed"}};
  add_count_columns(columns);
  columns.push_back({"Line", Kind::Text});
  const std::string name = escape(listing.value("function", ""));
  Table table("Instructions of " + name + " that were executed", columns);
  for (const Json& one : instructions) {
    std::vector<std::string> cells{"<code>" + escape(one.value("pc", "")) + "</code>",
                                   heat(number_of(one, "cycles"), most),
                                   "<code>" + escape(one.value("text", "")) + "</code>",
                                   count(number_of(one, "cycles")),
                                   stack_cell(one),
                                   count(number_of(one, "instructions"))};
    add_counts(cells, one);
    cells.push_back(location_cell(one));
    table.add(cells);
  }
  return table.html();
}

/// Returns a table that web/profile.js lets the reader sort.
std::string sorted(const std::string& table) { return "<div class=\"sorted\">" + table + "</div>\n"; }

std::string more_than(const Json& profile, const char* all, const Json& shown, const char* what) {
  const std::uint64_t rest = profile.value(all, std::uint64_t{0}) - shown.size();
  return rest == 0 ? ""
                   : fmt::format("<p class=\"note\">{} more {} are not shown.</p>\n", grouped(rest), what);
}

}  // namespace

std::string profile_section(const Json& result) {
  if (!result.contains("profile") || !result["profile"].is_object()) return "";
  const Json& profile = result["profile"];
  const Json& functions = profile["functions"];
  const Json& lines = profile["lines"];
  const std::uint64_t all = number_of(result, "cycles");
  std::string out =
      "<section aria-labelledby=\"hot-spots\"><h2 id=\"hot-spots\">Hot spots</h2>\n"
      "<p class=\"note\">A cycle in which instructions commit is shared by them; any other counts for the "
      "instruction that commits next, or for the mispredicted branch that emptied the core. Click a column "
      "to sort "
      "by it.</p>\n"
      "<p class=\"bar\" id=\"profile-bar\" hidden><label>Search <input type=\"text\" id=\"profile-search\" "
      "placeholder=\"function or file\"></label></p>\n";
  out += sorted(functions_table(functions, all)) +
         more_than(profile, "functions_in_all", functions, "functions");
  if (!lines.empty())
    out += "<details open><summary>Source lines</summary>" + sorted(lines_table(lines, all)) +
           more_than(profile, "lines_in_all", lines, "lines") + "</details>\n";
  for (const Json& listing : profile["listings"])
    out += "<details><summary>Instructions of <code>" + escape(listing.value("function", "")) +
           "</code></summary><div class=\"listing\">" + sorted(listing_table(listing)) + "</div></details>\n";
  return out + "</section>\n";
}

}  // namespace psim::report
