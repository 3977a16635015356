// SPDX-License-Identifier: Apache-2.0
// Compile-time reading and checking of the bit patterns of rows.
#pragma once

#include "isa/table/spec.h"

namespace psim::isa {

// A drawing that does not name exactly 32 bits does not compile: it reaches the throw at compile time.
consteval Pattern::Pattern(const char* drawing) : text(drawing) {
  unsigned named = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    const bool letter = c >= 'a' && c <= 'z';
    if (c != '0' && c != '1' && c != '-' && !letter) throw "a pattern has only 0, 1, -, letters and spaces";
    mask = mask << 1 | (c == '0' || c == '1');
    value = value << 1 | (c == '1');
    ++named;
  }
  if (named != 32) throw "a pattern names all 32 bits";
}

/// Returns the bits named by letters, which the row's format must account for.
constexpr std::uint32_t field_bits(const Pattern& pattern) {
  std::uint32_t result = 0;
  for (const char c : pattern.text) {
    if (c != ' ') result = result << 1 | (c >= 'a' && c <= 'z');
  }
  return result;
}

/// Returns true if some word has both patterns.
constexpr bool overlap(const Pattern& a, const Pattern& b) {
  return ((a.value ^ b.value) & a.mask & b.mask) == 0;
}
/// Returns true if every word of `inner` is a word of `outer`, but not the reverse.
constexpr bool nests(const Pattern& inner, const Pattern& outer) {
  return overlap(inner, outer) && (inner.mask & outer.mask) == outer.mask && inner.mask != outer.mask;
}

}  // namespace psim::isa
