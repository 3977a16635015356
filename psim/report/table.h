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
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A cell a column, each HTML already.
  void add(const std::vector<std::string>& cells);
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::string rows_;
};

}  // namespace psim::report
