// SPDX-License-Identifier: Apache-2.0
// The assembler: translates SPARC text, with every row of the instruction table, to sections and files.
// docs/assembler.md describes the language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/assembly.h"

namespace psim::isa::assembler {

struct Options {
  std::string file = "input";                         ///< named in messages
  std::uint64_t most_bytes = std::uint64_t{1} << 26;  ///< of all sections together, .bss aside
  unsigned most_errors = 50;                          ///< reported before giving up
};

/// Assembles `text`. Throws UserError with all mistakes, one "file:line:column: got X, expected Y" per line.
Assembly assemble(std::string_view text, const Options& options = {});

/// An assembly whose sections have memory addresses.
struct LinkedAssembly {
  Assembly assembly;                     ///< relocations applied; common symbols are in .bss
  std::vector<std::uint64_t> addresses;  ///< by section; 0 for sections that are not loaded
};
/// Places the sections as in an executable, from `base` on: executable ones, then read-only ones, then
/// writable ones, each group on its own pages (8 KB). Throws UserError for undefined symbols and for
/// distances that are too far.
LinkedAssembly link_at(Assembly assembly, std::uint64_t base);

/// The base of executables, as in stock static sparc64 programs.
inline constexpr std::uint64_t kExecutableBase = 0x100000;
/// The file's headers precede the text: 64 bytes, and 4 program headers of 56.
inline constexpr std::uint64_t kExecutableTextBase = kExecutableBase + 64 + 4 * 56;

/// Returns an ELF-64 big-endian executable with symbols, whose entry is the label _start. Throws UserError.
std::string executable(const Assembly& assembly);
/// Returns an ELF-64 big-endian relocatable object.
std::string object(const Assembly& assembly);

/// For tests: returns the words of section .text at `address`; `text` has no other section.
std::vector<std::uint32_t> words(std::string_view text, std::uint64_t address = 0);

}  // namespace psim::isa::assembler
