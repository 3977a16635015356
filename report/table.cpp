// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <fmt/format.h>

namespace psim::report {

namespace {

const char* style(const Table::Column& column) {
  return column.kind == Table::Kind::Number ? " class=\"n\"" : "";
}

}  // namespace

void Table::add_row(std::string_view begin, const std::vector<std::string>& cells) {
  rows_ += begin;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    rows_ += fmt::format("<td{}>{}</td>", style(columns_[i]), cells.at(i));
  rows_ += "</tr>\n";
}

std::string Table::html() const {
  std::string heads;
  for (const Column& column : columns_)
    heads += fmt::format("<th{} scope=\"col\">{}</th>", style(column), column.name);
  return "<div class=\"scroll\"><table><caption>" + caption_ + "</caption><thead><tr>" + heads +
         "</tr></thead><tbody>\n" + rows_ + "</tbody></table></div>";
}

}  // namespace psim::report
