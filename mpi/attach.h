// SPDX-License-Identifier: Apache-2.0
// How the simulator joins the library that a program was linked with: dlopen the program, look up
// "psim_attach_library" through it, call it once per host process before any rank runs.
#pragma once

#include "netsim/message/host.h"
#include "netsim/message/mpi_config.h"

extern "C" {
using psim_attach_function = psim::net::Library*(psim::net::Host&, const psim::net::MpiConfig&);
/// The library serves `host` until psim_detach_library(). An error in the configuration throws
/// std::invalid_argument with the key and what was expected.
psim::net::Library* psim_attach_library(psim::net::Host& host, const psim::net::MpiConfig& config);
/// Frees everything; the host is not touched.
void psim_detach_library();
/// This process is a copy that a rank's fork() made: every call of MPI ends it, with a message.
void psim_library_forked();
}
