// SPDX-License-Identifier: Apache-2.0
// The time of a message between two idle nodes, in closed form: that of the simulated network without other
// traffic. Bytes pass a read engine, the channel and a write engine, packet by packet.
#pragma once

#include <cstdint>

namespace psim::predict {

/// Times in seconds, rates in bytes per second.
struct MessageCosts {
  double overhead = 0;       ///< of the processor, on either side: mpi.send_overhead and mpi.recv_overhead
  double path = 0;           ///< routers and cables
  double bandwidth = 1;      ///< of the channels
  double dma_bandwidth = 0;  ///< of a DMA engine; 0: never limits
  std::uint32_t dma_engines = 1;
  std::uint64_t payload = 2048;             ///< of a packet, in bytes
  std::uint64_t eager = ~std::uint64_t{0};  ///< longest message without a rendezvous
  double handshake = 0;                     ///< of a rendezvous
};

/// Returns the time from the call of MPI_Send to the end of MPI_Recv, which waits already.
double one_way_time(const MessageCosts& costs, std::uint64_t bytes);

/// Returns the mean rate, in bytes per second, of windows of messages that are sent without a wait, each
/// window with an answer of 4 bytes, as osu_bw measures it.
double window_rate(const MessageCosts& costs, std::uint64_t bytes, std::uint32_t window);

/// Returns the inverse: the least time between two messages that explains a measured rate.
double message_gap(const MessageCosts& costs, std::uint64_t bytes, std::uint32_t window, double rate);

}  // namespace psim::predict
