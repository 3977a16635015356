// SPDX-License-Identifier: Apache-2.0
#include "cosim/interconnect.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "cosim/barrier_signal.h"
#include "cosim/node_paths.h"
#include "cosim/present.h"
#include "cosim/queue_interface.h"

namespace psim::cosim {

namespace {

/// Calls note(packet) if the bytes are a packet of queues.
template <class Note>
void with_packet(const std::byte* bytes, std::uint64_t size, Note note) {
  QueuePacket packet;
  if (size < sizeof packet) return;
  std::memcpy(&packet, bytes, sizeof packet);
  if (packet.kind >= QueuePacket::Kind::Send) note(packet);
}

// Tokens of timers of the barrier network; those of messages are numbers. The low half has the group's bits.
constexpr std::uint64_t kBarrier = std::uint64_t{1} << 63;
constexpr std::uint64_t kCounts = std::uint64_t{1} << 62;  ///< at the first node of the group
constexpr std::uint64_t kClears = std::uint64_t{1} << 61;  ///< at each node
constexpr std::uint64_t kGroup = 0xffff'ffff;

}  // namespace

Outlet::Outlet(sc_core::sc_module_name name) : sc_core::sc_module(name) {
  SC_HAS_PROCESS(Outlet);
  SC_THREAD(deliver_all);
}

void Outlet::deliver(std::uint64_t at, std::uint32_t source, std::vector<std::byte> bytes) {
  arrivals_.push_back({at, source, std::move(bytes)});
  if (arrivals_.size() == 1) more_.notify(until_ps(at));
}

void Outlet::deliver_all() {
  for (;;) {
    while (arrivals_.empty()) wait(more_);
    Arrival& next = arrivals_.front();
    if (next.at > present_ps()) wait(until_ps(next.at));
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(next.source);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(next.bytes.data()));
    payload.set_data_length(static_cast<unsigned>(next.bytes.size()));
    payload.set_streaming_width(payload.get_data_length());
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out_messages->b_transport(payload, delay);
    wait(delay);
    arrivals_.pop_front();
  }
}

Interconnect::Interconnect(sc_core::sc_module_name name, net::Simulation& simulation, NetworkModule& engine,
                           const std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& here,
                           std::uint8_t owner, const net::SyncCommConfig& barrier)
    : sc_core::sc_module(name),
      in_messages("in_messages", here.size()),
      outlets("outlet", here.size()),
      simulation_(simulation),
      engine_(engine),
      places_(places),
      here_(here),
      owner_(owner),
      barrier_(barrier),
      numbers_(simulation.graph().nodes()),
      slots_(places.size()) {
  for (std::uint32_t number = 0; number < places.size(); ++number) numbers_[places[number]] = number;
  for (std::uint32_t slot = 0; slot < here.size(); ++slot) {
    slots_[here[slot]] = slot;
    in_messages[slot].register_b_transport(this, &Interconnect::send, static_cast<int>(slot));
  }
}

void Interconnect::send(int slot, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const auto* const barrier = payload.get_extension<BarrierExtension>()) {
    const bool good = set_flag(here_[static_cast<std::size_t>(slot)], barrier->group);
    return payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  if (payload.get_address() >= places_.size() || !payload.is_write()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (to_ps(delay) < simulation_.engine().lookahead())
    throw std::logic_error("a message enters the network earlier than its lookahead allows");
  std::uint64_t number = announced_.size();
  if (free_.empty()) {
    announced_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  const auto* const data = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
  announced_[number] = {places_[payload.get_address()], {data, data + payload.get_data_length()}};
  if (paths_ != nullptr)
    with_packet(data, payload.get_data_length(), [&](const QueuePacket& packet) {
      paths_->entered(packet, payload.get_data_length(), present_ps() + to_ps(delay));
    });
  const std::uint32_t source = here_[static_cast<std::size_t>(slot)];
  simulation_.engine().set_router(simulation_.graph().node_router[places_[source]]);
  simulation_.timer(present_ps() + to_ps(delay), number, first_rank_ + source);
  ++in_network_;
  engine_.scheduled();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Interconnect::timer(std::uint64_t number, std::uint32_t node) {
  if ((number & kBarrier) != 0) return barrier_step(number, node);
  Message& announced = announced_[number];
  net::MessagePool& pool = simulation_.interfaces().pool();
  const std::uint32_t record = pool.take();
  net::Message& message = pool[record];
  message.node = announced.node;
  message.wire_bytes = announced.bytes.size();
  message.control = true;  // without the network's DMA engines
  message.owner = owner_;
  message.carry(announced.bytes.data(), announced.bytes.size());
  free_.push_back(number);
  if (trace_ != nullptr)
    trace_->entered(places_[node], record, announced.bytes.data(), announced.bytes.size());
  simulation_.interfaces().send(places_[node], record);
}

// The delivery lies in the window being served, which begins now.
void Interconnect::delivered(net::Message& message) {
  --in_network_;
  if (paths_ != nullptr)
    with_packet(message.data, message.data_bytes,
                [&](const QueuePacket& packet) { paths_->delivered(packet, simulation_.engine().now()); });
  outlets[slots_[numbers_[message.node]]].deliver(simulation_.engine().now(), numbers_[message.source],
                                                  {message.data, message.data + message.data_bytes});
}

void Interconnect::write(std::uint32_t, net::Parcel& parcel) {
  if (trace_ != nullptr) trace_->write(parcel);
}

void Interconnect::read(std::uint32_t, net::Parcel& parcel) {
  if (trace_ != nullptr) trace_->read(parcel);
}

net::Votes Interconnect::votes() {
  if (trace_ != nullptr) trace_->begin_exchange();
  return {sc_core::sc_pending_activity() ? 1u : 0u, in_network_};
}

// ---- the barrier network ----

/// Returns the group of a node; `bits` have the node.
Interconnect::Group Interconnect::group_of(std::uint32_t node, std::uint64_t bits) const {
  if (bits == 0) return {0, static_cast<std::uint32_t>(places_.size())};
  const std::uint32_t cluster = node / barrier_.micro_cluster * barrier_.micro_cluster;
  return {cluster + static_cast<std::uint32_t>(std::countr_zero(bits)),
          static_cast<std::uint32_t>(std::popcount(bits))};
}

/// Returns the number of a group among all groups.
std::uint64_t Interconnect::key_of(const Group& group, std::uint64_t bits) {
  return std::uint64_t{group.first} << 32 | bits;
}

/// Returns false if the group is wrong. The flag enters the network's time a lookahead from now, as messages
/// do.
bool Interconnect::set_flag(std::uint32_t node, std::uint64_t bits) {
  const std::uint32_t own = node % barrier_.micro_cluster, cluster = node - own;
  const auto most = std::min<std::uint64_t>(barrier_.micro_cluster, places_.size() - cluster);
  if (barrier_.kind == net::BarrierNetwork::None) return false;
  if (bits != 0 && ((bits >> most) != 0 || (bits >> own & 1) == 0)) return false;
  if (paths_ != nullptr) paths_->flagged(node, key_of(group_of(node, bits), bits), present_ps());
  simulation_.engine().set_router(router_of(node));
  simulation_.timer(present_ps() + simulation_.engine().lookahead(), kBarrier | bits, first_rank_ + node);
  ++in_network_;
  engine_.scheduled();
  return true;
}

void Interconnect::barrier_step(std::uint64_t token, std::uint32_t node) {
  const std::uint64_t bits = token & kGroup, now = simulation_.engine().now();
  const Group group = group_of(node, bits);
  const auto ps = [](Picoseconds time) { return static_cast<std::uint64_t>(time.count()); };
  if ((token & kClears) != 0) {
    --in_network_;
    if (paths_ != nullptr) paths_->cleared(node, key_of(group, bits), now);
    QueuePacket packet{.kind = QueuePacket::Kind::BarrierClear, .to = node, .operation = now};
    std::vector<std::byte> bytes(sizeof packet);
    std::memcpy(bytes.data(), &packet, sizeof packet);
    return outlets[slots_[node]].deliver(now, group.first, std::move(bytes));
  }
  if ((token & kCounts) == 0)
    return simulation_.timer_at(router_of(group.first),
                                now + ps(barrier_.up(group.nodes)) - simulation_.engine().lookahead(),
                                token | kCounts, first_rank_ + group.first);
  --in_network_;
  const auto flags = flags_.try_emplace({node, bits}).first;
  if (++flags->second < group.nodes) return;
  flags_.erase(flags);
  for (std::uint32_t n = 0; n < places_.size(); ++n) {
    const std::uint32_t cluster = node / barrier_.micro_cluster;
    if (bits != 0 && (n / barrier_.micro_cluster != cluster || (bits >> n % barrier_.micro_cluster & 1) == 0))
      continue;
    ++in_network_;
    simulation_.timer_at(router_of(n), now + ps(barrier_.down(group.nodes)), kBarrier | kClears | bits,
                         first_rank_ + n);
  }
}

}  // namespace psim::cosim
