// SPDX-License-Identifier: Apache-2.0
#include "base/config/setting.h"

#include <fmt/format.h>

namespace psim {

std::string Origin::text() const {
  if (source_name.empty()) return "default";
  return line > 0 ? fmt::format("{}:{}", source_name, line) : source_name;
}

Setting parse_override(std::string_view text) {
  const auto trim = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return part;
  };
  const std::size_t equals = text.find('=');
  const std::string_view key = trim(text.substr(0, equals));
  if (equals == std::string_view::npos || key.empty())
    throw UserError(fmt::format("--set {}: expected key=value, like --set l2.latency=\"14 cycles\"", text));
  std::string_view value = trim(text.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return {.key = std::string(key),
          .value = std::string(value),
          .kind = Setting::Kind::String,
          .kind_name = "text",
          .origin = {.source_name = "--set", .line = 0}};
}

}  // namespace psim
