// SPDX-License-Identifier: Apache-2.0
// Values that each thread has for itself (pthread_key_t): of each rank its own, for all its threads.
#pragma once

#include <pthread.h>

namespace psim::net {

/// What a thread of the host (OpenMP's) has for the running rank.
void*& value_of_host_thread(pthread_key_t key);
/// The running thread of the running rank is over.
void destroy_values_of_keys();

}  // namespace psim::net
