// SPDX-License-Identifier: Apache-2.0
#include "cosim/program_check.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "base/result_document.h"
#include "cosim/program_stamp.h"
#include "guest/elf/notes.h"

namespace psim::cosim {

void check_stamp(const isa::ElfImage& image) {
  const auto note = isa::find_note(image, ProgramStamp::kName, ProgramStamp::kType);
  if (!note) return;
  std::uint64_t interface = 0;
  std::string library;
  if (note->size() >= 4)
    for (int i = 0; i < 4; ++i)
      interface = interface << 8 | static_cast<std::uint8_t>((*note)[static_cast<std::size_t>(i)]);
  for (std::size_t i = 4; i < note->size() && (*note)[i] != std::byte{0}; ++i)
    library += static_cast<char>((*note)[i]);
  if (interface == queue::kVersion && library == version()) return;
  throw UserError(fmt::format(
      "{}: linked with the MPI library of psim {} for version {} of the network interface; expected the one "
      "of this psim, {}, for version {}: link the program again with its psim-sparc-cc, psim-sparc-cxx or "
      "psim-sparc-f90",
      image.path, library, interface, version(), queue::kVersion));
}

}  // namespace psim::cosim
