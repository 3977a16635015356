// SPDX-License-Identifier: Apache-2.0
// Mutexes of programs, taken by threads of ranks. Their words are as the C library has them, so that threads
// of the host (OpenMP's) may take the same mutex; its owner, if a thread of a rank, is marked as one.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace psim::net::mutex {

/// As pthread_mutex_timedlock, of which `deadline` (ps of simulated time) is 0 for a try, ~0 for ever.
/// `call`: for reports.
int lock(pthread_mutex_t& mutex, const char* call, std::uint64_t deadline = ~std::uint64_t{0});
int unlock(pthread_mutex_t& mutex);

}  // namespace psim::net::mutex
