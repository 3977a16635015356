// SPDX-License-Identifier: Apache-2.0
#include "base/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace psim {

StatGroup::StatGroup(StatGroup& parent, std::string_view name, std::string_view doc)
    : name_(name), doc_(doc), parent_(&parent) {
  parent.add({name_, "", doc_, nullptr, nullptr, this});
}

StatGroup::~StatGroup() {
  if (parent_ != nullptr)
    std::erase_if(parent_->items_, [this](const Item& item) { return item.group == this; });
}

void StatGroup::add(Item item) {
  for (const Item& known : items_)
    if (known.name == item.name)
      throw std::logic_error(fmt::format("statistic {}.{} exists", name_, item.name));
  items_.push_back(std::move(item));
}

Counter& StatGroup::counter(std::string_view name, std::string_view unit, std::string_view doc) {
  Counter& counter = counters_.emplace_back();
  add({std::string(name), std::string(unit), std::string(doc), &counter, nullptr, nullptr});
  return counter;
}

Ratio& StatGroup::ratio(std::string_view name, std::string_view unit, std::string_view doc,
                        const Counter& numerator, const Counter& denominator) {
  Ratio& ratio = ratios_.emplace_back(numerator, denominator);
  add({std::string(name), std::string(unit), std::string(doc), nullptr, &ratio, nullptr});
  return ratio;
}

std::vector<StatGroup::Entry> StatGroup::walk() const {
  std::vector<Entry> entries;
  walk("", entries);
  return entries;
}

void StatGroup::walk(const std::string& prefix, std::vector<Entry>& entries) const {
  const std::string path = prefix + name_ + ".";
  for (const Item& item : items_) {
    if (item.group != nullptr)
      item.group->walk(path, entries);
    else
      entries.push_back({path + item.name, item.unit, item.doc, item.counter, item.ratio});
  }
}

namespace {

std::string value_text(const StatGroup::Entry& entry) {
  return entry.counter != nullptr ? fmt::format("{}", entry.counter->value())
                                  : fmt::format("{}", entry.ratio->value());
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string stats_text(const StatGroup& root) {
  std::string out;
  const std::vector<StatGroup::Entry> entries = root.walk();
  std::size_t width = 0;
  for (const StatGroup::Entry& entry : entries) width = std::max(width, entry.path.size());
  for (const StatGroup::Entry& entry : entries)
    out += fmt::format("{:<{}}  {:>14} {:<18} # {}\n", entry.path, width, value_text(entry), entry.unit,
                       entry.doc);
  return out;
}

std::string stats_csv(const StatGroup& root) {
  std::string out = "name,value,unit,description\n";
  for (const StatGroup::Entry& entry : root.walk())
    out += fmt::format("{},{},{},{}\n", csv_field(entry.path), value_text(entry), csv_field(entry.unit),
                       csv_field(entry.doc));
  return out;
}

nlohmann::ordered_json stats_json(const StatGroup& root) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const StatGroup::Entry& entry : root.walk()) {
    nlohmann::ordered_json* node = &out;
    std::string_view rest = entry.path;
    for (std::size_t dot; (dot = rest.find('.')) != rest.npos; rest.remove_prefix(dot + 1))
      node = &(*node)[std::string(rest.substr(0, dot))];
    if (entry.counter != nullptr)
      (*node)[std::string(rest)] = entry.counter->value();
    else
      (*node)[std::string(rest)] = entry.ratio->value();
  }
  return out;
}

}  // namespace psim
