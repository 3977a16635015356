// SPDX-License-Identifier: Apache-2.0
#include "cosim/interconnect.h"

#include <stdexcept>

#include "cosim/present.h"

namespace psim::cosim {

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
                           std::uint8_t owner)
    : sc_core::sc_module(name),
      in_messages("in_messages", here.size()),
      outlets("outlet", here.size()),
      simulation_(simulation),
      engine_(engine),
      places_(places),
      here_(here),
      owner_(owner),
      numbers_(simulation.graph().nodes()),
      slots_(places.size()) {
  for (std::uint32_t number = 0; number < places.size(); ++number) numbers_[places[number]] = number;
  for (std::uint32_t slot = 0; slot < here.size(); ++slot) {
    slots_[here[slot]] = slot;
    in_messages[slot].register_b_transport(this, &Interconnect::send, static_cast<int>(slot));
  }
}

void Interconnect::send(int slot, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
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
  const std::uint32_t source = here_[static_cast<std::size_t>(slot)];
  simulation_.engine().set_router(simulation_.graph().node_router[places_[source]]);
  simulation_.timer(present_ps() + to_ps(delay), number, first_rank_ + source);
  ++in_network_;
  engine_.scheduled();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Interconnect::timer(std::uint64_t number, std::uint32_t node) {
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

}  // namespace psim::cosim
