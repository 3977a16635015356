// SPDX-License-Identifier: Apache-2.0
// Counts of remote direct memory access in a run: operations are counted at their requester, packets at their
// sender.
#pragma once

#include <algorithm>
#include <cstdint>

namespace psim::net::rdma {

struct Counts {
  // Operations that were started.
  std::uint64_t puts = 0;       ///< copies from the requester's memory to another rank's
  std::uint64_t gets = 0;       ///< from another rank's to the requester's
  std::uint64_t own = 0;        ///< within the requester's
  std::uint64_t copies = 0;     ///< between two other ranks
  std::uint64_t atomics = 0;    ///< of ACP
  std::uint64_t one_sided = 0;  ///< of MPI
  std::uint64_t bytes = 0;      ///< requested to be moved

  std::uint64_t control_packets = 0;  ///< requests, acknowledgements, replies without data
  std::uint64_t control_bytes = 0;    ///< of these, on the wire without headers
  std::uint64_t data_messages = 0;    ///< through DMA
  std::uint64_t data_bytes = 0;       ///< of these, on the wire without headers

  std::uint64_t registrations = 0;
  std::uint64_t registered_bytes = 0;

  // Largest values of a rank.
  std::uint64_t most_under_way = 0;
  std::uint64_t most_open = 0;  ///< requested and not completed: under way, or waiting for others

  bool none() const { return puts + gets + own + copies + atomics + one_sided + registrations == 0; }
  void add(const Counts& other) {
    for (std::uint64_t Counts::*count :
         {&Counts::puts, &Counts::gets, &Counts::own, &Counts::copies, &Counts::atomics, &Counts::one_sided,
          &Counts::bytes, &Counts::control_packets, &Counts::control_bytes, &Counts::data_messages,
          &Counts::data_bytes, &Counts::registrations, &Counts::registered_bytes})
      this->*count += other.*count;
    most_under_way = std::max(most_under_way, other.most_under_way);
    most_open = std::max(most_open, other.most_open);
  }
};

}  // namespace psim::net::rdma
