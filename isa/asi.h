// SPDX-License-Identifier: Apache-2.0
// Names of address space identifiers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace psim::isa {

/// The assembler's name of an ASI, e.g. "ASI_PNF" of 0x82; empty where it has none.
std::string_view asi_name(std::uint8_t asi);
/// The ASI of that name.
std::optional<std::uint8_t> asi_number(std::string_view name);

}  // namespace psim::isa
