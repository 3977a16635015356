// SPDX-License-Identifier: Apache-2.0
// The kinds of messages of the MPI library, and their names in timelines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace psim::net::mpi {

/// The library's values of Envelope::kind.
enum class MessageKind : std::uint8_t {
  Eager,          ///< with its data
  RequestToSend,  ///< start of a rendezvous: a long or synchronous message
  ClearToSend,    ///< the receiver has matched it
  Data,           ///< of a rendezvous
  CancelSend,     ///< requests an unmatched message back
  CancelReply,    ///< flags: whether the message was unmatched
  Window,         ///< access to a window: WindowMessage
  Rdma            ///< of the RDMA engine, which also carries one-sided operations
};

inline constexpr std::array<std::string_view, 8> kMessageKindNames{
    "eager",  "request to send",  "clear to send", "data",
    "cancel", "answer to cancel", "window",        "remote memory access"};
static_assert(static_cast<std::size_t>(MessageKind::Rdma) + 1 == kMessageKindNames.size());

/// Returns the name of an Envelope::kind, or "unknown".
constexpr std::string_view message_kind_name(std::uint8_t kind) {
  return kind < kMessageKindNames.size() ? kMessageKindNames[kind] : "unknown";
}

}  // namespace psim::net::mpi
