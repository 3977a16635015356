// SPDX-License-Identifier: Apache-2.0
// A program of a few instruction words run as a process without a compiler.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "guest/elf/elf_image.h"
#include "guest/process.h"

namespace psim::isa::testing {

/// Returns an ELF file with one writable segment at 0x100000 that holds `words` after the headers.
std::vector<std::byte> tiny_elf(const std::vector<std::uint32_t>& words);
/// The address of the first word.
inline constexpr std::uint64_t kTinyEntry = 0x100000 + 64 + 56;

class TinyProgram {
 public:
  explicit TinyProgram(std::vector<std::uint32_t> words, bool timed = true);
  Process& process() { return *process_; }

 private:
  std::unique_ptr<Process> process_;
};

}  // namespace psim::isa::testing
