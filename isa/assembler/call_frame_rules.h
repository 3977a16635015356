// SPDX-License-Identifier: Apache-2.0
// The encoding of call frame rules (DWARF 4, 6.4.2 and 7.23; DW_CFA_GNU_window_save of GNU).
#pragma once

#include <cstdint>
#include <string>

namespace psim::isa::assembler::frame_rule {

inline constexpr std::uint64_t kCodeAlignment = 4;  ///< unit of distances between instructions
inline constexpr std::int64_t kDataAlignment = -8;  ///< unit of offsets of saved registers

inline constexpr std::uint8_t kUndefined = 0x07, kSameValue = 0x08, kRegister = 0x09, kRememberState = 0x0a,
                              kRestoreState = 0x0b, kDefCfaRegister = 0x0d, kWindowSave = 0x2d;

std::string uleb(std::uint64_t value);
std::string sleb(std::int64_t value);
std::string alone(std::uint8_t rule);
std::string of_register(std::uint8_t rule, std::uint32_t number);
/// Advances by `instructions`, at least one.
std::string advance(std::uint64_t instructions);
std::string def_cfa(std::uint32_t number, std::int64_t offset);
std::string def_cfa_offset(std::int64_t offset);
/// Places a saved register at `units` of kDataAlignment from the frame's address.
std::string offset(std::uint32_t number, std::int64_t units);
std::string val_offset(std::uint32_t number, std::int64_t units);
std::string restore(std::uint32_t number);

/// Returns the bytes of an address with this DW_EH_PE_… encoding, 2, 4 or 8; 0 if assemblers do not write it.
unsigned encoded_bytes(std::uint8_t encoding);
/// Returns true if the address is relative to its own position.
bool is_pc_relative(std::uint8_t encoding);

}  // namespace psim::isa::assembler::frame_rule
