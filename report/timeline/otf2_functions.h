// SPDX-License-Identifier: Apache-2.0
// Operations and roles of OTF2 for the functions of a timeline.
#pragma once

#include <otf2/otf2.h>

#include <optional>
#include <string_view>

namespace psim {

/// Returns the operation of a function: "MPI_Alltoall", "MPI_Ialltoall" and "MPI_Alltoall_c" are an alltoall.
std::optional<OTF2_CollectiveOp> otf2_operation(std::string_view function);
OTF2_RegionRole otf2_role(std::string_view function);

}  // namespace psim
