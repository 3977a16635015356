// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace psim::isa {

/// Returns the text of an instruction word at `pc`, as GNU objdump writes it (synthetic instructions such as
/// mov, cmp and ret included), with single spaces: "add %o1, %o2, %o3", "bne,a %icc, 0x10024", "ldx [ %sp +
/// 0x87f ], %o0". A word that is not an instruction gives ".word 0x…" with 8 hexadecimal digits.
std::string disassemble(std::uint32_t word, std::uint64_t pc);

}  // namespace psim::isa
