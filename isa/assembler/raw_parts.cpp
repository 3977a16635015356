// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/raw_parts.h"

namespace psim::isa::assembler {

std::vector<Part> parts(const Argument& raw) {
  std::vector<Part> result;
  const std::string_view all = raw.text;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= all.size(); ++at) {
    if (at < all.size() && all[at] == '"') quoted = !quoted;
    if (at < all.size() && (quoted || all[at] != ',')) continue;
    std::string_view part = all.substr(begin, at - begin);
    std::uint32_t column = raw.column + static_cast<std::uint32_t>(begin);
    while (!part.empty() && part.front() <= ' ') {
      part.remove_prefix(1);
      ++column;
    }
    while (!part.empty() && part.back() <= ' ') part.remove_suffix(1);
    result.push_back({part, column});
    begin = at + 1;
  }
  return result;
}

}  // namespace psim::isa::assembler
