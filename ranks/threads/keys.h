// SPDX-License-Identifier: Apache-2.0
// Thread-specific values (pthread_key_t): each rank has its own keys, for all its threads.
#pragma once

#include <pthread.h>

namespace psim::net {

/// Returns the running rank's value in a host thread (OpenMP's).
void*& value_of_host_thread(pthread_key_t key);
/// Destroys the values of the running rank's running thread, at its end.
void destroy_values_of_keys();

}  // namespace psim::net
