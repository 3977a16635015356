// SPDX-License-Identifier: Apache-2.0
#include "mpi/poll_call.h"

std::uint64_t psim_poll_registers[13];
