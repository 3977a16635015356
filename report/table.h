// SPDX-License-Identifier: Apache-2.0
// A table of a page, in a box that scrolls on narrow pages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace psim::report {

class Table {
 public:
  enum class Kind : bool { Text, Number };  ///< numbers are right-aligned
  struct Column {
    std::string_view name;  ///< HTML
    Kind kind = Kind::Number;
  };
  /// Creates a table. The caption, in HTML, names it for screen readers.
  Table(std::string caption, std::vector<Column> columns)
      : caption_(std::move(caption)), columns_(std::move(columns)) {}

  /// Adds a row: a cell per column, each in HTML.
  void add(const std::vector<std::string>& cells) { add_row("<tr>", cells); }
  /// Adds the row of the sums, in bold.
  void add_total(const std::vector<std::string>& cells) { add_row("<tr class=\"total\">", cells); }
  std::string html() const;

 private:
  void add_row(std::string_view begin, const std::vector<std::string>& cells);

  std::string caption_;
  std::vector<Column> columns_;
  std::string rows_;
};

}  // namespace psim::report
