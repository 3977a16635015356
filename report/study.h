// SPDX-License-Identifier: Apache-2.0
// The study: many results on one page, as a table, a chart with axes to choose, a map of two keys, parallel
// coordinates, and two runs side by side (web/study.js).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace psim::report {

/// The values of runs that differ between them. Documents are not kept.
class Study {
 public:
  /// Adds a result, named after its file.
  void add(const std::string& name, const nlohmann::ordered_json& document);
  /// Names runs that are planned and have no result yet.
  void add_missing(const std::vector<std::string>& names);
  std::size_t runs() const { return names_.size(); }
  /// Returns the page. `left_out`: a line for each file that is no result.
  std::string page(const std::string& title, const std::vector<std::string>& left_out) const;

 private:
  enum class Group { Key, Result, Statistic, Host };
  struct Column {
    Group group;
    std::string key;
    std::vector<nlohmann::ordered_json> values;  ///< by run; shorter than runs(): null
  };
  Column& column(Group group, const std::string& key);
  void put(Group group, const std::string& key, const nlohmann::ordered_json& value);
  void put_all(Group group, const std::string& prefix, const nlohmann::ordered_json& value);
  bool varies(const Column& column) const;
  nlohmann::ordered_json data(std::size_t& dropped) const;

  std::vector<std::string> names_, missing_;
  std::vector<Column> columns_;
  std::vector<std::pair<std::string, std::size_t>> index_;  ///< of columns by key, sorted
};

}  // namespace psim::report
