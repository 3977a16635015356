// SPDX-License-Identifier: Apache-2.0
// For tests: a memory as another author would write it: loosely timed, with data, blocking transport only, 60
// ns per access. The convenience socket turns the base protocol's phases into its calls.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <systemc>
#include <vector>

namespace psim::pipeline::testing {

struct TextbookMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<TextbookMemory> socket{"socket"};
  explicit TextbookMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &TextbookMemory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t at = payload.get_address() % (store.size() - payload.get_data_length());
    const auto position = store.begin() + static_cast<std::ptrdiff_t>(at);
    if (payload.is_read())
      std::copy_n(position, payload.get_data_length(), payload.get_data_ptr());
    else
      std::copy_n(payload.get_data_ptr(), payload.get_data_length(), position);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(60, sc_core::SC_NS);
  }
  std::vector<unsigned char> store = std::vector<unsigned char>(1 << 20);
};

}  // namespace psim::pipeline::testing
