// SPDX-License-Identifier: Apache-2.0
// One symbol of each file of functions that replace the C library's. The runner of ranks refers to these, so
// that the files are linked.
#pragma once

namespace psim::net::linked {

extern const char conditions, descriptors, exec, futexes, locks, loaded_objects, processes, random_numbers,
    thread_functions;

}  // namespace psim::net::linked
