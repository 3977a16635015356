// SPDX-License-Identifier: Apache-2.0
// Ranks with several threads (MPI-3.1 section 12.4). One thread of a rank is in the library at a time. On
// psim net another runs at the end of each call or where one waits, so the library's state of a rank needs no
// lock; on cycle-level nodes threads() is the lock. A waiting thread tests its condition after each event.
// The rank is blocked once all threads have tested in vain.
#pragma once

#include <cstdint>
#include <functional>

#include "mpi/library.h"

namespace psim::net::mpi {

/// Token of Host::after for threads that wait for a time outside of the library; not the address of a
/// collective.
constexpr std::uint64_t kThreadTimer = 1;

/// Makes sure that there is an event when the next of the rank's threads that wait for a time resumes.
void set_thread_timer(const Rank& me);
/// Lets the rank's threads test their conditions again.
void wake_threads(Rank& rank);
/// Passes descriptions of the calls in which threads wait to `append`, for Mpi::describe.
void describe_threads(const Mpi& mpi, const Rank& rank, const std::function<void(const char*)>& append);

/// Makes the running thread, which called MPI_Init, the rank's main thread.
void set_main_thread(const Rank& me);
bool is_main_thread(const Rank& me);

}  // namespace psim::net::mpi
