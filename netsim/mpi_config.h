// SPDX-License-Identifier: Apache-2.0
// What the MPI library costs and how it chooses: plain numbers with their defaults. Keys and limits are in
// mpi_schema.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/schema.h"
#include "base/units.h"
#include "netsim/rdma_config.h"

namespace psim::net {

/// When rendezvous handshakes and non-blocking collectives advance.
enum class Progress : std::uint8_t {
  Call,  ///< only while their rank is inside an MPI call
  Async  ///< whenever a message arrives
};

struct MpiConfig {
  Bytes eager{65'536};                   ///< longest message sent without asking; longer ones by rendezvous
  Picoseconds send_overhead{0};          ///< of the processor, for each message sent
  Picoseconds recv_overhead{0};          ///< of the processor, for each message received
  Picoseconds poll{100'000};             ///< an unsuccessful test or probe
  Picoseconds wtime{10'000};             ///< a call of MPI_Wtime
  Picoseconds io_latency{100'000'000};   ///< of each access to a file
  BytesPerSecond io_bandwidth = 1_GBps;  ///< at which each rank reads and writes files
  Progress progress = Progress::Async;
  /// User data of up to so many bytes a message really travel; 0: none do, and programs may pass NULL.
  std::uint64_t carry = ~std::uint64_t{0};
  /// The user's choice of algorithms, "alltoall:ranks<=64,bytes<=256=bruck; bcast=binomial": the first rule
  /// that fits the size of the communicator and the bytes of the call counts, then the built-in table.
  std::string algorithms;
  RdmaConfig rdma;  ///< the same library serves it
};

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, MpiConfig& config);

}  // namespace psim::net
