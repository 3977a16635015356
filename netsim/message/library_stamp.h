// SPDX-License-Identifier: Apache-2.0
// What the simulator and the library of target processes must have been built of alike: host.h and what it
// includes, as one number that CMake makes of these files (PSIM_LIBRARY_STAMP). Programs carry the path of
// the library that they were linked with, which may be that of another build.
#pragma once

extern "C" {
/// Defined by each library that has psim_attach_library(); the simulator compares it with its own.
extern const char psim_library_stamp[];
}
