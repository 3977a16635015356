// SPDX-License-Identifier: Apache-2.0
#include "cosim/packet_stream.h"

#include <algorithm>
#include <cstring>

#include "cosim/message_trace.h"
#include "cosim/nic_config.h"

namespace psim::cosim {

QueueInterface::Bytes packet_with(const QueuePacket& header, std::span<const std::byte> data) {
  QueueInterface::Bytes bytes(sizeof header + data.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::ranges::copy(data, bytes.begin() + sizeof header);
  return bytes;
}

bool PacketStream::is_ready(const Packet& packet) const {
  return packet.requested == packet.part && packet.ready <= interface_.now();
}

queue::Status PacketStream::send(std::uint32_t to) {
  for (;;) {
    begin_reads();
    if (packets_.empty()) return status_;
    if (is_ready(packets_.front())) {
      if (trace_ != nullptr) trace_->note(packets_.front().header, PacketStep::Read, packets_.front().ready);
      interface_.transmit(to, packet_with(packets_.front().header, packets_.front().data));
      packets_.pop_front();
    } else {
      interface_.wait_until(under_way_.front());
    }
    while (!under_way_.empty() && under_way_.front() <= interface_.now()) under_way_.pop_front();
  }
}

void PacketStream::begin_packet() {
  const std::size_t before = next_.offset == 0 && header_ != nullptr ? queue::kHeaderBytes : 0;
  const std::uint64_t part = std::min(next_.total - next_.offset, packet_bytes_ - sizeof next_ - before);
  Packet& packet = packets_.emplace_back(Packet{next_, QueueInterface::Bytes(before + part), before, part});
  std::copy_n(reinterpret_cast<const std::byte*>(header_), before, packet.data.begin());
  if (trace_ != nullptr) trace_->note(next_, PacketStep::Begun, interface_.now());
  next_.offset += part;
  last_ = next_.offset >= next_.total;
}

void PacketStream::begin_reads() {
  while (under_way_.size() < reads_) {
    if (packets_.empty() || packets_.back().requested == packets_.back().part) {
      if (last_) return;
      begin_packet();
      if (packets_.back().part == 0) return;
    }
    Packet& packet = packets_.back();
    const std::uint64_t bytes = std::min(packet.part - packet.requested, kDmaReadBytes);
    const QueueInterface::Reading reading =
        interface_.begin_read(local_ + packet.header.offset + packet.requested,
                              std::span(packet.data).subspan(packet.before + packet.requested, bytes));
    packet.requested += bytes;
    packet.ready = std::max(packet.ready, reading.ready);
    under_way_.push_back(reading.ready);
    if (reading.good) continue;
    status_ = queue::Status::BadLocalAddress;
    packet.header.status = static_cast<std::uint32_t>(status_);
    packet.data.resize(packet.before);
    packet.part = packet.requested;
    last_ = true;
  }
}

}  // namespace psim::cosim
