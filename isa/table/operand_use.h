// SPDX-License-Identifier: Apache-2.0
// The registers that an operand names, and whether they are read or written.
#pragma once

#include <cstdint>

#include "isa/table/format.h"
#include "isa/table/static_instruction.h"

namespace psim::isa {

struct Use {
  Role role = Role::Nothing;
  RegisterRange registers{};  ///< count 0 for %g0
};

/// Returns the register that an operand of `word` names, apart from rs2 of addresses, and its use.
Use use_of(Operand operand, std::uint32_t word);

/// Returns the range of an integer register: empty for %g0.
RegisterRange integer_register(unsigned number);

}  // namespace psim::isa
