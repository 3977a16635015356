// SPDX-License-Identifier: Apache-2.0
// Which registers an operand names, and whether they are read or written.
#pragma once

#include <cstdint>

#include "isa/static_instruction.h"
#include "isa/table/format.h"

namespace psim::isa {

enum class Role : std::uint8_t { Nothing, Address, Source, Destination };

struct Use {
  Role role = Role::Nothing;
  RegisterRange registers{};  ///< count 0 for %g0
};

/// The register that an operand of `word` names beside rs2 of addresses, and how it is used.
Use use_of(Operand operand, std::uint32_t word);

/// The range of an integer register: empty for %g0.
RegisterRange integer_register(unsigned number);

}  // namespace psim::isa
