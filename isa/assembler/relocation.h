// SPDX-License-Identifier: Apache-2.0
// The relocations of the SPARC ABI for values that a linker fills in.
#pragma once

#include <string>

#include "isa/assembler/encoding.h"

namespace psim::isa::assembler {

/// Returns the SPARC ABI's relocation number (R_SPARC_…) for a value that a linker fills in; 0: no such
/// relocation.
/// `aligned`: the address is a multiple of the size of data.
unsigned relocation_type(Field field, const Value& value, bool aligned);
/// Returns the R_SPARC_… name of a number that relocation_type returns.
std::string relocation_name(unsigned type);

}  // namespace psim::isa::assembler
