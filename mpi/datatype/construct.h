// SPDX-License-Identifier: Apache-2.0
// The constructors of datatypes (MPI-3.1 section 4.1.2) as functions of their arguments, for the layout in
// memory and for that in a file, where the parts have other extents.
#pragma once

#include <vector>

#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {

/// Appends what the constructor `combiner` makes of `parts` to an empty type. `contents` has the
/// constructor's arguments as MPI_Type_get_contents returns them; its types are not read. Fails if they are
/// wrong.
void construct(Datatype& type, int combiner, const Contents& contents,
               const std::vector<const Datatype*>& parts);

}  // namespace psim::net::mpi
