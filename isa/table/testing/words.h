// SPDX-License-Identifier: Apache-2.0
// Words of a row of the instruction table, with significant field values.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

#include "isa/table/spec.h"

namespace psim::isa::testing {

/// Returns a significant value of a field: an end, the sign bit, a small one, a random one.
inline std::uint32_t field_value(unsigned width, std::mt19937& random) {
  const auto any = static_cast<std::uint32_t>(random());
  const std::uint32_t all = (1u << width) - 1;  // no field is wider than 30 bits
  switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return 1 & all;
    case 2:
      return all;
    case 3:
      return 1u << (width - 1);
    case 4:
      return 8 & all;
    default:
      return any & all;
  }
}

/// Returns a word of the row; ignored bits are zero.
inline std::uint32_t word_of(const Spec& spec, std::mt19937& random) {
  std::uint32_t word = 0;
  const std::string_view text = spec.pattern.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const bool field = text[at] >= 'a' && text[at] <= 'z';
    while (field && end < text.size() && text[end] == text[at]) ++end;
    const auto width = static_cast<unsigned>(end - at);
    if (field) word = word << width | field_value(width, random);
    if (text[at] == '0' || text[at] == '-') word <<= 1;
    if (text[at] == '1') word = word << 1 | 1;
    at = end;
  }
  return word;
}

}  // namespace psim::isa::testing
