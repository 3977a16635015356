// SPDX-License-Identifier: Apache-2.0
// The sections, symbols and relocations of a sparc64 ELF file of any kind (program, object, stripped or not),
// for reading its code. Every offset and size is checked against the file's size before use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace psim::isa {

struct ObjectFile {
  struct Section {
    std::string name;
    std::uint64_t address = 0;            ///< 0 in an object
    std::uint64_t flags = 0;              ///< SHF_…
    std::span<const std::uint8_t> bytes;  ///< within ObjectFile::bytes; none for .bss
  };
  struct Symbol {
    std::string name;
    std::uint64_t value = 0;    ///< address, or offset in its section in an object
    std::uint32_t section = 0;  ///< index in sections
  };
  struct Relocation {
    std::uint32_t section = 0;  ///< the section that it changes
    std::uint64_t offset = 0;
    unsigned type = 0;  ///< R_SPARC_…
    std::string symbol;
    std::int64_t addend = 0;
  };
  std::vector<std::uint8_t> bytes;
  bool relocatable = false;  ///< an object: sections have no addresses
  std::vector<Section> sections;
  std::vector<Symbol>
      symbols;  ///< of functions, objects and labels, with a name, in a section; in the file's order
  std::vector<Relocation> relocations;
};

/// Throws UserError, one line beginning with `path`, for a file that is not a sparc64 ELF file or is
/// inconsistent.
ObjectFile parse_object_file(const std::string& path, std::vector<std::uint8_t> bytes);
/// Reads and checks the file. Throws UserError also if the file cannot be read.
ObjectFile read_object_file(const std::string& path);

}  // namespace psim::isa
