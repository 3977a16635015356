// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "psim/points.h"

namespace psim::commands {
namespace {

struct GridAxis {
  std::string placeholder;  ///< "{}" or "{m}"
  std::string name;
  std::vector<std::string> values;
};

GridAxis parse_grid_axis(const std::string& text, std::size_t unnamed, const std::string& option) {
  constexpr const char* kNames[] = {"n", "m", "k", "l"};
  GridAxis axis;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    if (unnamed >= std::size(kNames))
      throw UserError(fmt::format("{} {}: more than {} without a name; expected NAME=VALUES", option, text,
                                  std::size(kNames)));
    axis.name = kNames[unnamed];
    axis.placeholder = "{}";
  } else {
    axis.name = text.substr(0, equals);
    axis.placeholder = "{" + axis.name + "}";
    if (axis.name.empty()) throw UserError(fmt::format("{} {}: expected NAME=VALUES", option, text));
  }
  std::string word;
  for (const char c : text.substr(equals == std::string::npos ? 0 : equals + 1) + " ") {
    if (c != ' ' && c != ',' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      if (std::find(axis.values.begin(), axis.values.end(), word) != axis.values.end())
        throw UserError(fmt::format("{} {}: {} stands twice", option, text, word));
      axis.values.push_back(std::move(word));
      word.clear();
    }
  }
  if (axis.values.empty()) throw UserError(fmt::format("{} {}: no values", option, text));
  return axis;
}

std::size_t count_of(const std::vector<std::string>& words, const std::string& placeholder) {
  std::size_t count = 0;
  for (const std::string& word : words)
    for (std::size_t at = word.find(placeholder); at != std::string::npos;
         at = word.find(placeholder, at + 1))
      ++count;
  return count;
}

/// Replaces every placeholder by its value. `values` has one for each axis.
std::vector<std::string> fill_in_words(std::vector<std::string> words, const std::vector<GridAxis>& axes,
                                       const std::vector<std::string>& values) {
  std::vector<std::string> unnamed;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (axes[a].placeholder == "{}") unnamed.push_back(values[a]);
  std::size_t used = 0;
  for (std::string& word : words) {
    std::string filled;
    for (std::size_t at = 0; at < word.size();) {
      const auto here = std::find_if(axes.begin(), axes.end(), [&](const GridAxis& axis) {
        return word.compare(at, axis.placeholder.size(), axis.placeholder) == 0;
      });
      if (here == axes.end()) {
        filled += word[at++];
        continue;
      }
      at += here->placeholder.size();
      filled += here->placeholder == "{}" ? unnamed[unnamed.size() == 1 ? 0 : used++]
                                          : values[static_cast<std::size_t>(here - axes.begin())];
    }
    word = std::move(filled);
  }
  return words;
}

}  // namespace

std::vector<GridPoint> grid_of(const std::vector<std::string>& program, const std::vector<std::string>& axes,
                               const std::string& option) {
  if (axes.empty())
    throw UserError(
        "fit: --args is missing; expected --args \"64 96 128 …\" for {} among the program's arguments, or "
        "traces instead of a program");
  std::vector<GridAxis> parsed;
  std::size_t unnamed = 0;
  for (const std::string& text : axes) {
    parsed.push_back(parse_grid_axis(text, unnamed, option));
    unnamed += parsed.back().placeholder == "{}";
    for (std::size_t i = 0; i + 1 < parsed.size(); ++i)
      if (parsed[i].name == parsed.back().name)
        throw UserError(fmt::format("{} {}: {} has values already", option, text, parsed.back().name));
    if (count_of(program, parsed.back().placeholder) == 0)
      throw UserError(fmt::format("{} {}: no word of the program contains {}: {}", option, text,
                                  parsed.back().placeholder, fmt::join(program, " ")));
  }
  if (unnamed > 1 && count_of(program, "{}") != unnamed)
    throw UserError(fmt::format("{}: {} without a name for {} {{}}; expected the same number, or one", option,
                                unnamed, count_of(program, "{}")));
  if (unnamed == 0 && count_of(program, "{}") != 0)
    throw UserError(option + ": no values for {}; expected \"64 96 128 …\"");
  std::vector<GridPoint> grid;
  for (const auto& values : combinations(parsed, option)) {
    GridPoint point;
    for (std::size_t a = 0; a < parsed.size(); ++a) {
      point.values.emplace_back(parsed[a].name, values[a]);
      point.label += fmt::format("{}{}={}", a == 0 ? "" : " ", parsed[a].name, values[a]);
    }
    point.words = fill_in_words(program, parsed, values);
    grid.push_back(std::move(point));
  }
  return grid;
}

std::vector<std::int64_t> parse_arguments(const std::string& text, const std::string& option) {
  std::vector<std::int64_t> arguments;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::int64_t value = 0;
    const auto [next, problem] = std::from_chars(at, end, value);
    if (problem != std::errc{} || (next != end && *next != ','))
      throw UserError(fmt::format("{} {}: expected whole numbers, N or N,M", option, text));
    arguments.push_back(value);
    if (next == end) return arguments;
    at = next + 1;
  }
}

}  // namespace psim::commands
