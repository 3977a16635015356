// SPDX-License-Identifier: Apache-2.0
// A sparc64 program file, checked: System V ABI ELF-64, big-endian, EM_SPARCV9, static (ET_EXEC or static
// PIE). Every offset and size is checked against the size of the file and of the address space before use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace psim::isa {

/// One PT_LOAD segment. file_offset + file_bytes lies within the file; file_bytes <= memory_bytes.
struct ElfSegment {
  std::uint64_t address = 0;  ///< before a position-independent program is placed
  std::uint64_t memory_bytes = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_bytes = 0;
  std::uint8_t permission = 0;  ///< kRead | kWrite | kExecute
};

struct ElfImage {
  std::string path;
  std::vector<std::byte> bytes;       ///< the whole file
  std::vector<ElfSegment> segments;   ///< ascending by address, disjoint, at least one
  std::uint64_t entry = 0;            ///< inside an executable segment, multiple of 4
  std::uint64_t program_headers = 0;  ///< address of the program header table in memory, 0 if not loaded
  std::uint16_t program_header_count = 0;
  bool executable_stack = true;             ///< PT_GNU_STACK requests it, or is missing
  bool position_independent = false;        ///< static PIE: addresses are offsets from where it is placed
  std::uint32_t hardware_capabilities = 0;  ///< Tag_GNU_Sparc_HWCAPS, 0 if the file has none

  std::uint64_t lowest() const { return segments.front().address; }
  std::uint64_t end() const { return segments.back().address + segments.back().memory_bytes; }
  /// Returns true if the code was generated for processors whose FMA rounds once (ELF_SPARC_HWCAP_FMAF).
  bool names_fused_multiply_add() const { return hardware_capabilities & 0x100; }
};

/// Size of an ELF64 program header entry.
inline constexpr std::uint64_t kProgramHeaderBytes = 56;

/// Checks `bytes`. Throws UserError, one line beginning with `path`, for a file that cannot run.
ElfImage parse_elf(std::string path, std::vector<std::byte> bytes);

/// Reads and checks the file. Throws UserError also if the file cannot be read.
ElfImage read_elf(const std::string& path);

}  // namespace psim::isa
