// SPDX-License-Identifier: Apache-2.0
#include "papers/published_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <sstream>

namespace psim::reproduce {
namespace {

using Cells = std::vector<std::string>;

/// The cells of a line, which have vertical bars between them, without the spaces around them.
Cells cells_of(const std::string& line) {
  Cells cells;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = line.find('|', begin);
    const std::string cell = line.substr(begin, end - begin);
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
  }
  return cells;
}

struct List {
  Cells columns;
  std::vector<Cells> rows;
};

/// A {LIST} or {LIST.COLUMN} of a text.
struct ListPlace {
  std::string list, column;
};

/// Calls `text_part` and `place` for the parts of a text in their order.
template <class TextPart, class PlacePart>
void for_parts(const std::string& text, TextPart&& text_part, PlacePart&& place) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at), close = text.find('}', open);
    text_part(text.substr(at, close == std::string::npos ? close : open - at));
    if (close == std::string::npos) return;
    const std::string inside = text.substr(open + 1, close - open - 1);
    const std::size_t dot = inside.find('.');
    place(ListPlace{inside.substr(0, dot), dot == std::string::npos ? "" : inside.substr(dot + 1)});
    at = close + 1;
  }
}

std::string table_of(const Setting& setting) { return setting.key.substr(0, setting.key.rfind('.')); }

class Lists {
 public:
  Lists(const std::vector<Setting>& settings, Problems& problems) : problems_(problems) {
    for (const Setting& setting : settings)
      if (setting.key.starts_with("list.")) read(setting);
  }

  /// Adds the tables that these settings of one table stand for.
  void add_tables(std::span<const Setting> table, std::vector<Setting>& to) {
    std::vector<std::string> names;  // the lists of the table's name
    for_parts(
        table_of(table.front()), [](const std::string&) {},
        [&](const ListPlace& place) {
          if (std::ranges::find(names, place.list) == names.end()) names.push_back(place.list);
        });
    for (const std::string& name : names)
      if (!lists_.contains(name)) return refuse(table.front(), "{" + name + "}", "there is no such list");
    add_rows(table, names, to);
  }

 private:
  void refuse(const Setting& setting, const std::string& part, const std::string& why) {
    problems_.add(setting.origin.text(), fmt::format("{}: {}: {}", setting.key, part, why));
  }

  void read(const Setting& setting) {
    List& list = lists_[table_of(setting).substr(5)];
    if (setting.key.ends_with(".columns")) {
      list.columns = cells_of(setting.value);
      return;
    }
    if (!setting.key.ends_with(".rows")) return refuse(setting, setting.value, "a list has columns and rows");
    std::istringstream stream(setting.value);
    for (std::string line; std::getline(stream, line);) {
      const Cells cells = cells_of(line);
      if (!list.columns.empty() && cells.size() != list.columns.size())
        refuse(setting, line, fmt::format("{} cells; expected {}", cells.size(), list.columns.size()));
      else if (!list.columns.empty())
        list.rows.push_back(cells);
      else
        for (const std::string& cell : cells) list.rows.push_back({cell});
    }
  }

  void add_rows(std::span<const Setting> table, std::span<const std::string> names,
                std::vector<Setting>& to) {
    if (!names.empty()) {
      for (const Cells& row : lists_[names.front()].rows) {
        chosen_[names.front()] = &row;
        add_rows(table, names.subspan(1), to);
      }
      chosen_.erase(names.front());
      return;
    }
    for (const Setting& setting : table) {
      Setting made = setting;
      made.key = filled(setting, setting.key);
      std::ranges::replace(made.key, ' ', '-');
      made.value = filled(setting, setting.value);
      if (made.key.ends_with(".figure")) std::ranges::replace(made.value, ' ', '-');
      if (!made.value.empty()) to.push_back(std::move(made));
    }
  }

  std::string filled(const Setting& setting, const std::string& text) {
    std::string made;
    for_parts(
        text, [&](const std::string& part) { made += part; },
        [&](const ListPlace& place) {
          const auto row = chosen_.find(place.list);
          const Cells& columns = lists_[place.list].columns;
          const auto column = std::ranges::find(columns, place.column);
          if (row == chosen_.end() || (column == columns.end() && !(columns.empty() && place.column.empty())))
            refuse(setting, text, "no such list in the table's name, or no such column of the list");
          else
            made += (*row->second)[static_cast<std::size_t>(column - columns.begin())];
        });
    return made;
  }

  Problems& problems_;
  std::map<std::string, List> lists_;
  std::map<std::string, const Cells*> chosen_;
};

}  // namespace

std::vector<Setting> with_lists(const std::vector<Setting>& settings, Problems& problems) {
  Lists lists(settings, problems);
  std::vector<Setting> all;
  for (auto at = settings.begin(); at != settings.end();) {
    const auto end =
        std::find_if(at, settings.end(), [&](const Setting& s) { return table_of(s) != table_of(*at); });
    if (table_of(*at).find('{') != std::string::npos)
      lists.add_tables({at, end}, all);
    else if (!at->key.starts_with("list."))
      all.insert(all.end(), at, end);
    at = end;
  }
  return all;
}

}  // namespace psim::reproduce
