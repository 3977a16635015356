// SPDX-License-Identifier: Apache-2.0
// The header of a message. The network carries it unread; MPI and RDMA give it meaning.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"

namespace psim::net {

struct Envelope {
  RankId source{};            ///< numbered over all jobs
  RankId destination{};       ///< numbered over all jobs
  std::uint32_t context = 0;  ///< communicator, numbered by the library
  std::int32_t tag = 0;
  std::uint64_t bytes =
      0;  ///< of the user's data, regardless of the number that crosses the wire with this message
  std::uint32_t sender = 0;    ///< the library's handle at the source (a request), returned in departed()
  std::uint32_t receiver = 0;  ///< the library's handle at the destination, if the sender has it
  std::uint32_t rank = 0;      ///< the sender's rank in the communicator, so that matching needs no table
  std::uint8_t kind = 0;       ///< eager, request to send, clear to send, …: the library's enumeration
  std::uint8_t flags = 0;
  std::uint16_t spare = 0;
};
static_assert(std::is_trivially_copyable_v<Envelope> && sizeof(Envelope) == 40);

/// Number of contexts of a communicator: point-to-point, collective, and those inside an intercommunicator.
inline constexpr std::uint32_t kContextsOfOne = 8;
/// Returns the first context of the MPI_COMM_WORLD of a job, from its first rank.
constexpr std::uint32_t world_context(std::uint32_t first) { return first * kContextsOfOne; }

}  // namespace psim::net
