// SPDX-License-Identifier: Apache-2.0
// The operations of all ranks of the host process.
#pragma once

#include "mpi/op.h"
#include "mpi/pool.h"

namespace psim::net::mpi {

struct OpSlot {
  Ref<Op> op;
};
using Ops = Pool<OpSlot, 6>;
Ops& ops();

}  // namespace psim::net::mpi
