// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "mpi/include/mpi.h"

/// The communicator `number` (1, 2, …; alike on all members) of `members`, ranks of the world, of which the
/// running rank is one. Costs no simulated time. For programs that make no communicators otherwise.
extern "C" MPI_Comm psim_replay_communicator(std::uint32_t number, const std::uint32_t* members,
                                             std::uint32_t size);
