// SPDX-License-Identifier: Apache-2.0
// Error numbers of Linux on SPARC follow SunOS from 36 on (asm/errno.h): every host errno is translated.
#pragma once

namespace psim::isa {

/// Returns the SPARC number of a host errno (0–133). A number without a counterpart becomes EINVAL.
int guest_errno(int host);

}  // namespace psim::isa
