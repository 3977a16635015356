// SPDX-License-Identifier: Apache-2.0
// Code as a reader wants it: address, word, text, with the names of what lies there and where branches lead.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace psim::isa {

/// Names of addresses, and what is said about single words (relocations, source lines).
struct CodeNames {
  std::multimap<std::uint64_t, std::string> symbols;
  std::multimap<std::uint64_t, std::string> notes;

  /// "name", "name+0x10", or empty: the nearest symbol at or below `address`, none below `least`.
  std::string nearest(std::uint64_t address, std::uint64_t least) const;
};

/// The words of `bytes`, which lie at `address`. A line "name:" stands before each symbol, the address of a
/// branch's target is followed by <name>, notes follow behind "!". Up to 3 bytes that make no word are shown
/// as .byte.
std::string list_code(std::span<const std::uint8_t> bytes, std::uint64_t address, const CodeNames& names);

}  // namespace psim::isa
