// SPDX-License-Identifier: Apache-2.0
// Listings of code: address, word and text, with the names of symbols and of branch targets.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace psim::isa {

/// Names of addresses, and notes on single words (relocations, source lines).
struct CodeNames {
  std::multimap<std::uint64_t, std::string> symbols;
  std::multimap<std::uint64_t, std::string> notes;

  /// Returns "name", "name+0x10", or an empty string: the nearest symbol at or below `address`, none below
  /// `least`.
  std::string nearest(std::uint64_t address, std::uint64_t least) const;
};

/// Returns the words of `bytes`, which lie at `address`. A line "name:" precedes each symbol, <name> follows
/// the address of a branch's target, and notes follow "!". Up to 3 bytes that make no word are shown as
/// .byte.
std::string list_code(std::span<const std::uint8_t> bytes, std::uint64_t address, const CodeNames& names);

}  // namespace psim::isa
