// SPDX-License-Identifier: Apache-2.0
// The timeline of a message as slices of time on the components that it passes, for pictures.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/message_timeline.h"

namespace psim {

/// A row of a picture: the core or the interface of a rank, or a router.
struct MessageComponent {
  cosim::MessagePart::Where where = cosim::MessagePart::Where::Core;
  std::uint32_t number = 0;
  auto operator<=>(const MessageComponent&) const = default;
};
/// Returns "rank 0: core", "rank 0: interface" or "router 3".
std::string component_name(const MessageComponent& component);

struct MessageSlice {
  MessageComponent component;
  std::uint64_t begin = 0, end = 0;  ///< ps
  std::string name;
  bool waits = false;   ///< for its turn, for room, or for the program
  bool on_way = false;  ///< of the packet that completes the message, or of the message as a whole
};

/// Returns the slices in the order of the message's way, and packets in the order of their data.
std::vector<MessageSlice> slices_of(const cosim::TracedMessage& message);

/// Returns "0.7: put of 20000 bytes to rank 1 (data, tag 4)".
std::string title_of(const cosim::TracedMessage& message);

/// Returns "pc 0x1416a0 in MPI_Send, called in main at a.c:12", for the hover text of a core's slice.
std::string place_text(const cosim::TimedPlace& place);

}  // namespace psim
