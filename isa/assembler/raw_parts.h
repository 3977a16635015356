// SPDX-License-Identifier: Apache-2.0
// Splits the operands of directives that read their text themselves.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

/// The text between commas, without blanks at its ends.
struct Part {
  std::string_view text;
  std::uint32_t column;
};
/// Returns the parts of an argument of kind Raw, which must outlive them. Commas in double quotes do not
/// split.
std::vector<Part> parts(const Argument& raw);

}  // namespace psim::isa::assembler
