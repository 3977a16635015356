// SPDX-License-Identifier: Apache-2.0
// Mutexes of programs, locked by threads of ranks. Their words have the C library's format, so that host
// threads (OpenMP's) may lock the same mutex. An owner that is a thread of a rank is marked.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace psim::net::mutex {

/// Locks like pthread_mutex_timedlock. `deadline`: ps of simulated time; 0: try once, ~0: wait forever.
/// `call`: name in reports.
int lock(pthread_mutex_t& mutex, const char* call, std::uint64_t deadline = ~std::uint64_t{0});
int unlock(pthread_mutex_t& mutex);

}  // namespace psim::net::mutex
