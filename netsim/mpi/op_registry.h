// SPDX-License-Identifier: Apache-2.0
// The operations of all ranks of the host process.
#pragma once

#include "netsim/mpi/op.h"
#include "netsim/mpi/pool.h"

namespace psim::net::mpi {

struct OpSlot {
  Ref<Op> op;
};
using Ops = Pool<OpSlot, 6>;
Ops& ops();

}  // namespace psim::net::mpi
