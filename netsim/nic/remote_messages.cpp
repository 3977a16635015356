// SPDX-License-Identifier: Apache-2.0
#include "netsim/nic/remote_messages.h"

namespace psim::net {
namespace {

struct Announcement {
  Envelope envelope;
  std::uint64_t queued, wire_bytes, data_bytes;
  std::uint32_t number, source, node, order, whole;
  bool bulk, control, carries;
};

}  // namespace

void RemoteMessages::announce(std::uint32_t process, std::uint32_t number, Message& message) {
  Box& box = boxes_[process];
  ++box.announced;
  const bool carries = message.data != nullptr;
  const Announcement announcement{.envelope = message.envelope,
                                  .queued = message.queued,
                                  .wire_bytes = message.wire_bytes,
                                  .data_bytes = message.data_bytes,
                                  .number = number,
                                  .source = message.source,
                                  .node = message.node,
                                  .order = message.order,
                                  .whole = message.whole,
                                  .bulk = message.bulk,
                                  .control = message.control,
                                  .carries = carries};
  box.announcements.put(announcement);
  if (carries) box.announcements.put(message.data, message.data_bytes);
  message.data = nullptr;
  message.data_bytes = 0;
}

void RemoteMessages::write(std::uint32_t process, Parcel& parcel) {
  Box& box = boxes_[process];
  parcel.put(box.announced);
  parcel.put(box.announcements.bytes().data(), box.announcements.bytes().size());
  parcel.put_all(box.delivered);
  box.announced = 0;
  box.announcements.clear();
  box.delivered.clear();
}

void RemoteMessages::read(std::uint32_t process, Parcel& parcel, MessagePool& pool) {
  Box& box = boxes_[process];
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto announcement = parcel.take<Announcement>();
    const std::uint32_t number = pool.take();
    if (box.numbers.size() <= announcement.number) box.numbers.resize(announcement.number + 1);
    box.numbers[announcement.number] = number;
    Message& message = pool[number];
    message.envelope = announcement.envelope;
    message.queued = announcement.queued;
    message.wire_bytes = announcement.wire_bytes;
    message.source = announcement.source;
    message.node = announcement.node;
    message.order = announcement.order;
    message.whole = announcement.whole;
    message.bulk = announcement.bulk;
    message.control = announcement.control;
    message.home = process;
    message.home_number = announcement.number;
    if (announcement.carries) message.carry(parcel.take(announcement.data_bytes), announcement.data_bytes);
  }
  parcel.take_each<std::uint32_t>([&](std::uint32_t number) { pool.free(number); });
}

}  // namespace psim::net
