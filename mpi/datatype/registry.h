// SPDX-License-Identifier: Apache-2.0
// The datatypes of all ranks of the host process.
#pragma once

#include <memory>

#include "mpi/datatype/datatype.h"
#include "mpi/object/pool.h"

namespace psim::net::mpi {

struct DatatypeSlot {
  std::unique_ptr<Datatype> type;
};
using Datatypes = Pool<DatatypeSlot, 8>;
Datatypes& datatypes();

}  // namespace psim::net::mpi
