// SPDX-License-Identifier: Apache-2.0
// Message protocols: eager (data sent at once, as a snapshot) or rendezvous (request to send, clear to send,
// data copied once between the buffers). Synchronous sends always use rendezvous.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/library.h"

namespace psim::net::mpi {

/// Source, destination and label of a message, as matching uses them.
struct Route {
  std::uint32_t context = 0;
  std::uint32_t rank = 0;         ///< the sender's, in the communicator
  std::uint32_t destination = 0;  ///< rank of the world
  std::int32_t tag = 0;
  std::uint32_t serial = 0;  ///< number of the program's send: 1, 2, …; 0 for the library's own
  std::uint32_t alike = 0;   ///< of a collective: digest of the arguments that must be equal on all ranks
};

/// Returns true if a message of `bytes` of user data carries them.
inline bool carries(std::uint64_t bytes) {
  return library->config.carry != 0 && bytes <= library->config.carry;
}
/// Returns the longest message that one rank of the world sends to another without a rendezvous.
inline std::uint64_t eager_limit(std::uint32_t from, std::uint32_t to) {
  const MpiConfig& config = library->config;
  const bool own = config.eager_node.count != 0 &&
                   library->host.node_of(RankId{from}) == library->host.node_of(RankId{to});
  return own ? config.eager_node.count : config.eager.count;
}
inline bool size_only() { return library->config.carry == 0; }

/// Sends `data` at once. The address is the source's; null in size-only runs.
void send_eager(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes);
/// Sends the library's own data, carried in every run, as `wire_bytes` on the network.
void send_own(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
              std::uint64_t wire_bytes);
/// Sends like send_eager, over the network of hardware collectives; arrives after `delay`.
void send_out_of_band(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
                      Picoseconds delay);
/// Sends a request-to-send for the buffer of the request, or its packed copy.
void send_request_to_send(const Rank& source, const Route& route, std::uint32_t request);
/// Matches an arriving message to a receive, or keeps it as unexpected.
void match(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
/// Matches a receive to an unexpected message, or posts it.
void start_receive(Rank& me, std::uint32_t request);
/// Gives the receive a message that is in no queue.
void take_message(std::uint32_t request, const Envelope& envelope, const std::byte* data,
                  std::uint64_t bytes);
/// Gives the receive a message from the pool of unexpected ones, and frees it there.
void take_unexpected(std::uint32_t request, std::uint32_t message);
/// Requests an unmatched request-to-send back from its destination. `also`, if not 0, is another request of
/// the rank's that completes with the reply.
void cancel_rendezvous(std::uint32_t request, std::uint32_t also = 0);
/// Requests an unmatched eager message, the program's send number `serial`, back from rank `destination` of
/// the world. `request` completes with the reply.
void cancel_eager(std::uint32_t request, std::uint32_t destination, std::uint32_t serial);

/// Copies received data into the buffer of a receive, up to its size.
void receive_into(Request& receive, std::uint64_t sent, const std::byte* data, std::uint64_t bytes);
void clear_to_send(std::uint32_t receive);
void send_data(std::uint32_t send);

}  // namespace psim::net::mpi
