// SPDX-License-Identifier: Apache-2.0
// The simulator's entry into the library that a program was linked with: dlopen the program, look up
// "psim_attach_library" through it, and call it once per host process before any rank runs.
#pragma once

#include "netsim/message/host.h"
#include "netsim/message/mpi_config.h"

extern "C" {
using psim_attach_function = psim::net::Library*(psim::net::Host&, const psim::net::MpiConfig&);
/// Attaches the library to `host` until psim_detach_library(). Throws std::invalid_argument for an error in
/// the configuration, with the key and what was expected.
psim::net::Library* psim_attach_library(psim::net::Host& host, const psim::net::MpiConfig& config);
/// Frees everything; does not touch the host.
void psim_detach_library();
/// Marks this process as a copy made by a rank's fork(): every MPI call then ends it with a message.
void psim_library_forked();
}
