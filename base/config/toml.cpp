// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/config/setting.h"

namespace psim {
namespace {

// Tables are read and freed by recursion, and "a.a.a…" nests without a bracket. Both kinds are bounded before
// parsing, far above the depth of any machine file.
constexpr int kDeepest = 32;
constexpr int kMostDots = 32;

/// Returns why `text` nests too deeply to be read, and its line; empty if it does not. Strings and comments
/// are skipped.
std::string too_deep(std::string_view text, int& line) {
  int depth = 0, dots = 0;
  line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line, dots = 0;
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      const bool multi = text.substr(i, 3) == std::string(3, c);
      i += multi ? 3 : 1;
      for (; i < text.size(); ++i) {
        if (text[i] == '\n') {
          if (!multi) break;  // unterminated: the parser stops here too
          ++line;
        }
        if (c == '"' && text[i] == '\\') {
          ++i;
        } else if (multi ? text.substr(i, 3) == std::string(3, c) : text[i] == c) {
          i += multi ? 2 : 0;
          break;
        }
      }
      if (i < text.size() && text[i] == '\n') ++line, dots = 0;
    } else if (c == '.' && ++dots > kMostDots) {
      return fmt::format("more than {} dots in a line", kMostDots);
    } else if ((c == '[' || c == '{') && ++depth > kDeepest) {
      return fmt::format("nested more than {} deep", kDeepest);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return {};
}

std::string scalar_text(const toml::node& node) {
  std::ostringstream out;
  node.visit([&out](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) out << value.get();
  });
  return out.str();
}

void flatten(const toml::table& table, const std::string& prefix, const std::string& file,
             std::vector<Setting>& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str()) : prefix + "." + std::string(name.str());
    Setting setting{.key = key,
                    .value = {},
                    .kind_name = {},
                    .origin = {file, static_cast<int>(name.source().begin.line)}};
    if (const toml::table* inner = node.as_table()) {
      flatten(*inner, key, file, settings);
      continue;
    }
    if (const auto* text = node.as_string()) {
      setting.value = text->get();
    } else if (node.is_integer()) {
      setting.kind = Setting::Kind::Integer, setting.kind_name = "an integer",
      setting.value = scalar_text(node);
    } else if (node.is_floating_point()) {
      setting.kind = Setting::Kind::Float, setting.kind_name = "a float";
      setting.value = fmt::format("{}", node.as_floating_point()->get());
    } else if (const auto* truth = node.as_boolean()) {
      setting.kind = Setting::Kind::Boolean, setting.kind_name = "a boolean";
      setting.value = truth->get() ? "true" : "false";
    } else {
      setting.kind = Setting::Kind::Other;
      setting.kind_name = node.is_array() ? "an array" : "a date or time";
      setting.value = node.is_array() ? "[…]" : scalar_text(node);
    }
    settings.push_back(std::move(setting));
  }
}

}  // namespace

std::vector<Setting> read_toml(std::string_view text, const std::string& file_name, Problems& problems) {
  int line = 0;
  if (text.size() > kMostConfigBytes) {
    problems.add(file_name,
                 fmt::format("{} bytes; a configuration has at most {}", text.size(), kMostConfigBytes));
    return {};
  }
  if (const std::string why = too_deep(text, line); !why.empty()) {
    problems.add(fmt::format("{}:{}", file_name, line), why);
    return {};
  }
  std::vector<Setting> settings;
  try {
    flatten(toml::parse(text, file_name), "", file_name, settings);
  } catch (const toml::parse_error& error) {
    problems.add(fmt::format("{}:{}", file_name, error.source().begin.line),
                 fmt::format("not TOML: {}", error.description()));
    return {};
  }
  // The parser sorts by name, but messages follow the order of the file.
  std::stable_sort(settings.begin(), settings.end(),
                   [](const Setting& a, const Setting& b) { return a.origin.line < b.origin.line; });
  return settings;
}

}  // namespace psim
