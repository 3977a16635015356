// SPDX-License-Identifier: Apache-2.0
// Reduction operations: predefined ones by table over (operation, basic type), and the user's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/datatype/datatype.h"
#include "mpi/include/mpi.h"
#include "mpi/rank.h"

namespace psim::net::mpi {

struct Op : Counted {
  MPI_User_function* function = nullptr;  ///< null: predefined
  int code = 0;                           ///< of a predefined one: the place in its handle
  bool commutative = true;
};

/// Fails with MPI_ERR_OP.
Op& op(MPI_Op handle);
MPI_Op new_op(MPI_User_function* function, bool commutative);
/// Collectives under way keep it. Fails with MPI_ERR_OP if it is predefined.
void free_op(MPI_Op handle);
/// Fails with MPI_ERR_OP if `operation` is not defined for the type.
void require_defined(const Op& operation, const Datatype& type);

/// inout = in ∘ inout, element by element, on packed data; `in` is of the lower ranks. A user's function runs
/// as `rank` and sees the type's own layout.
void apply(Rank& rank, const Op& operation, Datatype& type, const std::byte* in, std::byte* inout,
           std::uint64_t count);

}  // namespace psim::net::mpi
