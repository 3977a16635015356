// SPDX-License-Identifier: Apache-2.0
// The kernels that were built for sparc64 with psim (workloads/kernels/CMakeLists.txt).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace psim::reproduce {

/// share/psim/kernels beside the bin of the executable, in the build tree as in an installed one. Throws
/// UserError that says what to install if psim was built without a compiler for sparc64.
std::string kernel_directory();

/// The bytes of `name` ("paper/dgemm") of kernel_directory(). Throws UserError.
std::string read_kernel_file(std::string_view name);

/// Another form of a paper kernel: a line of paper/variants.
struct Variant {
  std::string name;    ///< program in variants/
  std::string kernel;  ///< "dgemm": the kept form is paper/dgemm
  bool scalar, simd;   ///< where it differs from the kept one
  std::string flags;   ///< what the compiler was told beside the usual
};
std::vector<Variant> variants();
/// `text` is that file. Throws std::runtime_error for a line that is none.
std::vector<Variant> parse_variants(std::string_view text);

}  // namespace psim::reproduce
