// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "mpi/include/mpi.h"

/// Returns communicator `number` of `members`, ranks of the world that include the running rank. Numbers are
/// 1, 2, … and equal on all members. Costs no simulated time. For programs that make no other communicators.
extern "C" MPI_Comm psim_replay_communicator(std::uint32_t number, const std::uint32_t* members,
                                             std::uint32_t size);

/// Returns the simulated time, s. Costs none.
extern "C" double psim_replay_time(void);
