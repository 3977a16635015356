// SPDX-License-Identifier: Apache-2.0
// Who runs ranks refers to these, one of each file of functions that stand before the C library's, so that
// they are linked.
#pragma once

namespace psim::net::linked {

extern const char conditions, futexes, locks, loaded_objects, processes, random_numbers, thread_functions;

}  // namespace psim::net::linked
