// SPDX-License-Identifier: Apache-2.0
// Ranks with several threads (MPI-3.1 section 12.4). One of them runs at a time, and goes on at the end of
// each call or where one waits: what the library keeps of a rank needs no lock. A thread that waits looks
// whether what it waits for has come whenever something has happened, and the rank is blocked once all have
// looked in vain.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/library.h"

namespace psim::net::mpi {

/// Of Host::after, for threads that wait for a time outside of the library; no address of a collective.
constexpr std::uint64_t kThreadTimer = 1;

/// Something may have happened that a thread of the rank waits for.
void wake_threads(Rank& rank);
/// Mpi::describe: the calls in which threads wait.
void describe_threads(const Mpi& mpi, const Rank& rank, char* text, std::size_t size);

/// The rank's thread that called MPI_Init, which is the one that runs.
void set_main_thread(const Rank& me);
bool is_main_thread(const Rank& me);

/// At the end of a call of a rank with threads.
void give_way();

}  // namespace psim::net::mpi
