// SPDX-License-Identifier: Apache-2.0
// The layout of a type in a file whose representation gives types other sizes than memory (MPI-3.1 section
// 13.5.1).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {

/// Returns the layout of a type in bytes: constructed as the type was, from predefined types of the sizes
/// that `size_of` returns. Displacements in bytes are those in the file.
std::unique_ptr<Datatype> file_layout(
    const Datatype& type, const std::function<std::uint64_t(const Datatype& predefined)>& size_of);

}  // namespace psim::net::mpi
