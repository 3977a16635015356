// SPDX-License-Identifier: Apache-2.0
// A table of a page, in a box that scrolls where the page is narrow.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace psim::report {

class Table {
 public:
  enum class Kind : bool { Text, Number };  ///< numbers stand to the right
  struct Column {
    std::string_view name;  ///< HTML
    Kind kind = Kind::Number;
  };
  /// The caption names the table for those who hear the page; HTML.
  Table(std::string caption, std::vector<Column> columns)
      : caption_(std::move(caption)), columns_(std::move(columns)) {}

  /// A cell a column, each HTML already.
  void add(const std::vector<std::string>& cells);
  std::string html() const;

 private:
  std::string caption_;
  std::vector<Column> columns_;
  std::string rows_;
};

}  // namespace psim::report
