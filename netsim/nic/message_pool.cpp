// SPDX-License-Identifier: Apache-2.0
#include "netsim/nic/message_pool.h"

#include "base/error.h"
#include "netsim/packet/packet.h"

namespace psim::net {

std::uint32_t MessagePool::take() {
  ++in_flight_;
  if (free_ == Message::kNone) {
    if (made_ >> Packet::kMessageBits != 0)
      throw UserError("network: more than 134,217,728 messages under way; expected fewer");
    if (made_ % kBlock == 0) blocks_.push_back(std::make_unique<Message[]>(kBlock));
    return made_++;
  }
  const std::uint32_t number = free_;
  Message& message = (*this)[number];
  free_ = message.next;
  message.next = Message::kNone;
  message.wire_bytes = message.injected = message.serialised = message.arrived = message.data_bytes = 0;
  message.written = 0;
  message.data = nullptr;
  message.in_place = message.control = false;
  message.home = message.whole = Message::kNone;
  return number;
}

void MessagePool::free(std::uint32_t number) {
  --in_flight_;
  Message& message = (*this)[number];
  message.owned.reset();
  message.next = free_;
  free_ = number;
}

}  // namespace psim::net
