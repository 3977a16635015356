// SPDX-License-Identifier: Apache-2.0
// The assembler's result for a file: sections, symbols, and relocations for a linker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/assembler/encoding.h"

namespace psim::isa::assembler {

struct Section {
  std::string name;
  std::uint32_t type = 1;        ///< SHT_…
  std::uint64_t flags = 0;       ///< SHF_…
  std::uint64_t alignment = 1;   ///< power of two
  std::uint64_t entry_size = 0;  ///< of mergeable sections
  bool grouped = false;          ///< a linker may keep another file's section instead
  std::vector<std::uint8_t> bytes;
  std::uint64_t size = 0;  ///< bytes.size(), but for SHT_NOBITS
  /// The offset of an instruction (not of data), and its source line; ascending by offset.
  struct Mark {
    std::uint64_t offset;
    std::uint32_t line;
  };
  std::vector<Mark> instructions;
};

struct Symbol {
  enum class Kind : std::uint8_t { Undefined, Absolute, Section, Common };
  std::string name;
  Kind kind = Kind::Undefined;
  std::uint32_t section = 0;
  std::uint64_t value = 0;  ///< offset in its section, number, or alignment of a common symbol
  std::uint64_t size = 0;
  std::uint8_t binding = 0, type = 0, visibility = 0;  ///< STB_…, STT_…, STV_…
};

/// The value of symbol + number (minus its own address, if the field or `difference` requires it), put into
/// `field`.
struct Relocation {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;
  Field field;
  Modifier modifier = Modifier::None;
  std::int32_t symbol = -1;  ///< index in Assembly::symbols, -1: none
  std::int64_t number = 0;
  std::int64_t outside = 0;  ///< added after the modifier: %lo(symbol) + outside
  bool difference = false;
  unsigned type = 0;  ///< R_SPARC_…; 0: the field needs a number, which a linker cannot supply
  std::uint32_t line = 0, column = 0;
  std::string source;  ///< as written
};

struct Assembly {
  std::string file;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<Relocation> relocations;
  std::uint64_t capabilities = 0;  ///< OR of all instructions' Spec::needs
};

}  // namespace psim::isa::assembler
