// SPDX-License-Identifier: Apache-2.0
// Names of address space identifiers.
#pragma once

#include <cstdint>
#include <string_view>

namespace psim::isa {

/// The assembler's name of an ASI, e.g. "ASI_PNF" of 0x82; empty where it has none.
std::string_view asi_name(std::uint8_t asi);

}  // namespace psim::isa
