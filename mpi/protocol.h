// SPDX-License-Identifier: Apache-2.0
// How a message gets across: eager (its data at once, a snapshot), or rendezvous (request to send, clear to
// send, data copied once from buffer to buffer). Synchronous sends always go by rendezvous.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/library.h"

namespace psim::net::mpi {

/// Who sends to whom, as matching sees it.
struct Route {
  std::uint32_t context = 0;
  std::uint32_t rank = 0;         ///< the sender's, in the communicator
  std::uint32_t destination = 0;  ///< rank of the world
  std::int32_t tag = 0;
  std::uint32_t serial = 0;  ///< of the program's sends: 1, 2, …; 0 of the library's own
  std::uint32_t alike = 0;   ///< of a collective: what all its ranks must give alike
};

/// Whether so many bytes of user data really travel.
inline bool carries(std::uint64_t bytes) {
  return library->config.carry != 0 && bytes <= library->config.carry;
}
inline bool size_only() { return library->config.carry == 0; }

/// Sends `data` (address as the source calls it; null in size-only runs) at once.
void send_eager(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes);
/// Sends the library's own data, carried in every run, as `wire_bytes` on the network.
void send_own(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
              std::uint64_t wire_bytes);
/// As send_eager, over the network of hardware collectives: there `delay` later.
void send_out_of_band(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
                      Picoseconds delay);
/// Asks to send what the request describes: its buffer, or its packed copy.
void send_request(const Rank& source, const Route& route, std::uint32_t request);
/// A message that a receive can take has come: it is taken, or kept.
void match(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
/// The receive is ready to be matched: takes an unexpected message or is posted.
void start_receive(Rank& me, std::uint32_t request);
/// A receive takes a message that is out of all queues.
void take_message(std::uint32_t request, const Envelope& envelope, const std::byte* data,
                  std::uint64_t bytes);
/// The same for a message in the pool of unexpected ones, which it frees.
void take_unexpected(std::uint32_t request, std::uint32_t message);
/// Asks the destination to give an unmatched request-to-send back. `also`, if not 0, is another request of
/// the rank's, which is over with the answer.
void cancel_rendezvous(std::uint32_t request, std::uint32_t also = 0);
/// Asks rank `destination` of the world for an unmatched eager message, the program's send number `serial`.
/// `request` is over with the answer.
void cancel_eager(std::uint32_t request, std::uint32_t destination, std::uint32_t serial);

/// Copies what came into the buffer of a receive, as far as there is room.
void receive_into(Request& receive, std::uint64_t sent, const std::byte* data, std::uint64_t bytes);
void clear_to_send(std::uint32_t receive);
void send_data(std::uint32_t send);

}  // namespace psim::net::mpi
