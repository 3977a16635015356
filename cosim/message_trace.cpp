// SPDX-License-Identifier: Apache-2.0
#include "cosim/message_trace.h"

#include <cstring>

namespace psim::cosim {

QueueObserver& MessageTrace::observer(std::uint32_t rank, isa::Process& process) {
  QueueObserver::Listener& listener = *this;
  if (!observers_[rank]) observers_[rank] = std::make_unique<QueueObserver>(rank, process, listener);
  return *observers_[rank];
}

bool MessageTrace::begin(std::uint32_t rank, std::uint64_t number, const queue::Descriptor& d,
                         queue::Status status, std::uint64_t begun, std::uint64_t now) {
  std::optional<Submitted> submitted = observers_[rank]->take(number);
  if (!submitted) return false;
  const std::uint64_t message = message_id(rank, number);
  const bool chosen = choice_.takes(rank, number, d, submitted->rang.cycle * period_);
  if (!(chosen && ++chosen_[rank] <= choice_.most) && message != watched_) return false;
  Opening& opening = openings_.emplace_back(
      Opening{message, number, d.opcode, d.flags, d.peer, static_cast<std::uint32_t>(status), d.bytes, {}});
  std::memcpy(opening.header.data(), d.header, opening.header.size());
  const auto opcode = static_cast<queue::Opcode>(d.opcode);
  const bool notifies = (d.flags & queue::kNotify) != 0, remote = (d.flags & queue::kRemote) != 0;
  if (status == queue::Status::Good &&
      (opcode == queue::Opcode::Send || (opcode == queue::Opcode::Put && (notifies || !remote))))
    ends_at_peer_.insert(message);
  commits_.push_back({message, MessageStep::Rang, std::move(submitted->rang)});
  note(message, MessageStep::Arrived, submitted->arrived);
  note(message, MessageStep::Begun, begun);
  note(message, MessageStep::Fetched, now);
  return true;
}

MessageTrace::PacketKey MessageTrace::key_of(const QueuePacket& packet) {
  using Kind = QueuePacket::Kind;
  using Leg = MessagePacket::Leg;
  Leg leg = Leg::There;
  if (packet.kind == Kind::GetReply || packet.kind == Kind::AtomicReply) leg = Leg::Reply;
  if (packet.kind == Kind::Done) leg = Leg::Answer;
  return {message_of(packet), leg == Leg::Answer ? 0 : packet.offset, leg};
}

void MessageTrace::completed(std::uint32_t rank, std::uint64_t message, std::uint64_t address,
                             std::uint64_t now) {
  if (message == 0) return;
  const bool done = message >> kRankShift == rank && ends_at_peer_.erase(message) != 0;
  const MessageStep step = done ? MessageStep::Done : MessageStep::Completed;
  note(message, step, now);
  observers_[rank]->watch(address, message, step);
}

void MessageTrace::seen(std::uint64_t message, MessageStep completed, const CommittedAt& load) {
  commits_.push_back(
      {message, completed == MessageStep::Done ? MessageStep::DoneSeen : MessageStep::Seen, load});
}

// ---- the network ----

void MessageTrace::fly(const Flight& flight) {
  if (flight.packet.message != 0)
    flying_[flight.record] = flight.packet;
  else
    flying_.erase(flight.record);
}

void MessageTrace::entered(std::uint32_t source, std::uint32_t record, const std::byte* bytes,
                           std::uint64_t size) {
  Flight flight{std::uint64_t{source} << 32 | record, {}};
  QueuePacket packet;
  if (size >= sizeof packet) {
    std::memcpy(&packet, bytes, sizeof packet);
    if (packet.kind >= QueuePacket::Kind::Send && packet.traced != 0) flight.packet = key_of(packet);
  }
  if (flight.packet.message == 0 && !flying_.contains(flight.record)) return;
  fly(flight);
  fresh_.push_back(flight);
}

void MessageTrace::begin_exchange() {
  announced_.swap(fresh_);
  fresh_.clear();
}

void MessageTrace::read(net::Parcel& parcel) {
  parcel.take_each<Flight>([this](const Flight& flight) { fly(flight); });
}

void MessageTrace::hop(const net::Hop& hop) {
  const auto found = flying_.find(std::uint64_t{hop.source} << 32 | hop.message);
  if (found != flying_.end()) hops_.push_back({found->second, hop});
}

}  // namespace psim::cosim
