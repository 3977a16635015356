// SPDX-License-Identifier: Apache-2.0
// Names of address space identifiers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace psim::isa {

/// Returns the assembler's name of an ASI, e.g. "ASI_PNF" for 0x82; empty if it has none.
std::string_view asi_name(std::uint8_t asi);
/// Returns the ASI of that name.
std::optional<std::uint8_t> asi_number(std::string_view name);

}  // namespace psim::isa
