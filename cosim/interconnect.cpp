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

Interconnect::Interconnect(sc_core::sc_module_name name, const net::NetworkConfig& config,
                           const net::Network& network, std::uint32_t nodes)
    : sc_core::sc_module(name),
      in_messages("in_messages", nodes),
      outlets("outlet", nodes),
      network_(network),
      simulation_(config, network.graph, *network.routing, *this),
      engine_("engine", simulation_) {
  for (std::size_t node = 0; node < in_messages.size(); ++node)
    in_messages[node].register_b_transport(this, &Interconnect::send, static_cast<int>(node));
}

void Interconnect::send(int node, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_address() >= outlets.size() || !payload.is_write()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (to_ps(delay) < lookahead())
    throw std::logic_error("a message enters the network earlier than its lookahead allows");
  std::uint64_t number = announced_.size();
  if (free_.empty()) {
    announced_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  const auto* const data = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
  announced_[number] = {static_cast<std::uint32_t>(payload.get_address()),
                        {data, data + payload.get_data_length()}};
  const auto source = static_cast<std::uint32_t>(node);
  simulation_.engine().set_router(network_.graph.node_router[source]);
  simulation_.timer(present_ps() + to_ps(delay), number, source);
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
  message.carry(announced.bytes.data(), announced.bytes.size());
  free_.push_back(number);
  simulation_.interfaces().send(node, record);
}

// The delivery lies in the window being served, which begins now.
void Interconnect::delivered(net::Message& message) {
  outlets[message.node].deliver(simulation_.engine().now(), message.source,
                                {message.data, message.data + message.data_bytes});
}

}  // namespace psim::cosim
