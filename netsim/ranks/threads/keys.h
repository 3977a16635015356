// SPDX-License-Identifier: Apache-2.0
// Values that each thread has for itself (pthread_key_t): of each rank its own, for all its threads.
#pragma once

namespace psim::net {

/// The running thread of the running rank is over.
void destroy_values_of_keys();

}  // namespace psim::net
