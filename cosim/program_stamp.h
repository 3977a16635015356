// SPDX-License-Identifier: Apache-2.0
// The stamp of programs that are linked with the MPI library for nodes: an ELF note, which the library's
// object contains, and which psim compares with its own values. Numbers are big-endian, as the program's are.
#pragma once

#include <cstdint>

#include "cosim/queue_format.h"

namespace psim::cosim {

struct ProgramStamp {
  static constexpr char kName[] = "psim";
  static constexpr std::uint32_t kType = 1, kLibraryBytes = 28;

  std::uint32_t name_bytes = sizeof kName, text_bytes = sizeof interface + kLibraryBytes, type = kType;
  char name[8] = "psim";
  std::uint32_t interface = queue::kVersion;  ///< of the network interface
  char library[kLibraryBytes];                ///< version of psim
};
static_assert(sizeof(ProgramStamp) == 52);

}  // namespace psim::cosim
