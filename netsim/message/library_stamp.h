// SPDX-License-Identifier: Apache-2.0
// A hash of host.h and its includes, computed by CMake (PSIM_LIBRARY_STAMP). Simulator and library of target
// processes must have been built from the same files. Programs carry the path of the library that they were
// linked with, which may be of another build.
#pragma once

extern "C" {
/// Defined by each library that has psim_attach_library(); the simulator compares it with its own.
extern const char psim_library_stamp[];
}
