// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "guest/elf/elf_image.h"

namespace psim::cosim {

/// Checks that the program, if it is linked with the MPI library for nodes, was built for this psim and its
/// network interface. Throws UserError. A program without the library has no stamp.
void check_stamp(const isa::ElfImage& image);

}  // namespace psim::cosim
