// SPDX-License-Identifier: Apache-2.0
// The kernels that were compiled for sparc64 together with psim (workloads/kernels/CMakeLists.txt).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace psim::reproduce {

/// Returns share/psim/kernels next to the bin folder of the executable, in a build tree as in an installed
/// one. If psim was built without a compiler for sparc64, throws UserError that states what to install.
std::string kernel_directory();

/// Returns whether this kernel was built. The OpenMP forms need the plug-in of gcc.
bool has_kernel(std::string_view name);

/// Returns the bytes of `name` ("paper/dgemm") in kernel_directory(). Throws UserError.
std::string read_kernel_file(std::string_view name);

/// Another form of a paper kernel: a line of paper/variants.
struct Variant {
  std::string name;    ///< program in variants/
  std::string kernel;  ///< "dgemm": the kept form is paper/dgemm
  bool scalar, simd;   ///< the modes in which it differs from the kept form
  std::string flags;   ///< compiler flags in addition to the usual ones
};
std::vector<Variant> variants();
/// Parses the text of that file. Throws std::runtime_error for a malformed line.
std::vector<Variant> parse_variants(std::string_view text);

}  // namespace psim::reproduce
