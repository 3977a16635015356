// SPDX-License-Identifier: Apache-2.0
// The assembler: SPARC text, with every row of the instruction table, to sections and files.
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
  unsigned most_errors = 50;                          ///< told before giving up
};

/// Assembles `text`. Throws UserError with every mistake, "file:line:column: got X, expected Y" a line.
Assembly assemble(std::string_view text, const Options& options = {});

/// Where sections lie in memory.
struct Placed {
  Assembly assembly;                     ///< relocations applied; common symbols are in .bss
  std::vector<std::uint64_t> addresses;  ///< by section; 0 for sections that are not loaded
};
/// Places the sections as an executable has them: what is executed, then what is only read, then what is
/// written, each on pages (8 KB) of its own, from `base` on. Throws UserError for undefined symbols and
/// distances that are too far.
Placed place(Assembly assembly, std::uint64_t base);

/// Where executables begin: the place of stock static sparc64 programs.
inline constexpr std::uint64_t kExecutableBase = 0x100000;
/// The file's headers lie in front of the text: 64 bytes, and 4 program headers of 56.
inline constexpr std::uint64_t kExecutableTextBase = kExecutableBase + 64 + 4 * 56;

/// An ELF-64 big-endian executable that begins at the label _start, with symbols. Throws UserError.
std::string executable(const Assembly& assembly);
/// An ELF-64 big-endian relocatable object.
std::string object(const Assembly& assembly);

/// For tests: the words of section .text placed at `address`, nothing else in the text.
std::vector<std::uint32_t> words(std::string_view text, std::uint64_t address = 0);

}  // namespace psim::isa::assembler
