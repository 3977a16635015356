// SPDX-License-Identifier: Apache-2.0
#include "netsim/nic/message_pool.h"

namespace psim::net {

std::uint32_t MessagePool::take() {
  ++in_flight_;
  if (free_ == Message::kNone) {
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t number = free_;
  Message& message = messages_[number];
  free_ = message.next;
  message.next = Message::kNone;
  message.wire_bytes = message.injected = message.serialised = message.arrived = message.data_bytes = 0;
  message.data = nullptr;
  message.in_place = false;
  message.home = Message::kNone;
  return number;
}

void MessagePool::free(std::uint32_t number) {
  --in_flight_;
  messages_[number].owned.reset();
  messages_[number].next = free_;
  free_ = number;
}

}  // namespace psim::net
