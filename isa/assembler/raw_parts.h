// SPDX-License-Identifier: Apache-2.0
// The operands of directives that read their text themselves.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

/// What lies between commas, blanks at its ends left out.
struct Part {
  std::string_view text;
  std::uint32_t column;
};
/// Of an argument of kind Raw, which outlives them. Commas in double quotes part nothing.
std::vector<Part> parts(const Argument& raw);

}  // namespace psim::isa::assembler
