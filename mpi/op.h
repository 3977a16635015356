// SPDX-License-Identifier: Apache-2.0
// Reduction operations: predefined ones, by a table over (operation, basic type), and user-defined ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/datatype/datatype.h"
#include "mpi/include/mpi.h"
#include "mpi/rank.h"

namespace psim::net::mpi {

struct Op : Counted {
  MPI_User_function* function = nullptr;
  MPI_User_function_c* large = nullptr;  ///< of MPI_Op_create_c
  int code = 0;                          ///< index of a predefined operation in its handle
  bool commutative = true;
  bool predefined() const { return function == nullptr && large == nullptr; }
};

/// Returns the operation of a handle. Fails with MPI_ERR_OP.
Op& op(MPI_Op handle);
/// One of the functions is null.
MPI_Op new_op(MPI_User_function* function, MPI_User_function_c* large, bool commutative);
/// Frees the handle; collectives under way keep the operation. Fails with MPI_ERR_OP if it is predefined.
void free_op(MPI_Op handle);
/// Fails with MPI_ERR_OP if `operation` is not defined for the type.
void require_defined(const Op& operation, const Datatype& type);

/// Computes inout = in ∘ inout, element by element, on packed data; `in` belongs to the lower ranks. A
/// user-defined function runs as `rank` and sees the type's own layout.
void apply(Rank& rank, const Op& operation, Datatype& type, const std::byte* in, std::byte* inout,
           std::uint64_t count);

}  // namespace psim::net::mpi
