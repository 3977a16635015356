// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

constexpr std::size_t kMostRows = 500;

/// Returns the keys of all rows in order, with true for those that hold numbers.
std::vector<std::pair<std::string, bool>> keys_of(const Json& rows) {
  std::vector<std::pair<std::string, bool>> keys;
  for (const Json& row : rows)
    for (const auto& [key, value] : row.items()) {
      const auto known = std::ranges::find(keys, key, [](const auto& one) { return one.first; });
      if (known == keys.end()) keys.emplace_back(key, value.is_number());
    }
  return keys;
}

std::string table_of_rows(const std::string& name, const Json& rows) {
  const auto keys = keys_of(rows);
  std::vector<std::string> heads;
  std::vector<Table::Column> columns;
  for (const auto& [key, number] : keys) heads.push_back(escape(label_of(key)));
  for (std::size_t i = 0; i < keys.size(); ++i)
    columns.push_back({heads[i], keys[i].second ? Kind::Number : Kind::Text});
  Table table(escape(label_of(name)), columns);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    std::vector<std::string> cells;
    for (const auto& [key, number] : keys)
      cells.push_back(rows[i].contains(key) ? shown_value(key, rows[i][key]) : "");
    table.add(cells);
  }
  return table.html() + (rows.size() > kMostRows
                             ? fmt::format("<p class=\"note\">{} more rows are in the result.</p>\n",
                                           rows.size() - kMostRows)
                             : "");
}

/// Adds the values below a key: tables at once, and all others to `plain`.
void add_values(const std::string& name, const Json& value, std::string& tables, Table& plain) {
  const bool rows = value.is_array() && !value.empty() &&
                    std::ranges::all_of(value, [](const Json& row) { return row.is_object(); });
  if (rows)
    tables += table_of_rows(name, value);
  else if (value.is_object())
    for (const auto& [key, inner] : value.items()) add_values(name + "." + key, inner, tables, plain);
  else
    plain.add({escape(name), shown_value(name, value)});
}

}  // namespace

PageBody other_page(const Json& result) {
  PageBody body;
  std::string tables;
  Table plain("Values", {{"Key", Kind::Text}, {"Value"}});
  for (const auto& [key, value] : result.items())
    if (const char* const known[] = {"schema", "version", "command", "machine", "inputs", "seed",
                                     "result_hash", "host", "page", "statistics"};
        std::ranges::find(known, key) == std::end(known))
      add_values(key, value, tables, plain);
  body.html = "<section aria-labelledby=\"values\"><h2 id=\"values\">Values</h2>\n" + plain.html() + tables +
              "</section>\n";
  body.scripts = {web::report_js};
  return body;
}

}  // namespace psim::report
