// SPDX-License-Identifier: Apache-2.0
#include "cosim/register_port.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.h"
#include "cosim/store_origin.h"

namespace psim::cosim {

RegisterPort::RegisterPort(sc_core::sc_module_name name, std::uint64_t first, std::uint64_t bytes,
                           sc_core::sc_time period, sc_core::sc_time delay, Failure& failure,
                           std::string node_name)
    : sc_core::sc_module(name),
      DeviceWindow(first, bytes),
      period_(to_ps(period)),
      delay_(to_ps(delay)),
      failure_(failure),
      node_name_(std::move(node_name)) {
  SC_HAS_PROCESS(RegisterPort);
  SC_THREAD(sending);
}

void RegisterPort::store(std::uint64_t address, std::uint32_t bytes, std::uint64_t cycle) {
  if (values_.empty() || values_.front().address != address)
    throw std::logic_error(
        fmt::format("a store to the device at {:#x} leaves that was not the next executed", address));
  stores_.push_back({address, values_.front().value, values_.front().pc, bytes, cycle * period_ + delay_});
  values_.pop_front();
  if (listener_) listener_(address, stores_.back().value, cycle * period_);
  // The core may be ahead of SystemC's time, not behind it.
  if (stores_.size() == 1) more_.notify(until_ps(stores_.front().at));
}

void RegisterPort::sending() {
  for (;;) {
    while (stores_.empty()) wait(more_);
    const Store store = stores_.front();
    if (store.at > present_ps()) wait(until_ps(store.at));
    unsigned char bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(store.value >> (56 - 8 * i));
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(store.address);
    payload.set_data_ptr(bytes);
    payload.set_data_length(store.bytes <= 8 ? store.bytes : 8);
    payload.set_streaming_width(payload.get_data_length());
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    PcExtension origin(store.pc);
    payload.set_extension(&origin);
    out_registers->b_transport(payload, delay);
    payload.clear_extension(&origin);
    wait(delay);
    if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) {
      failure_.set(std::make_exception_ptr(UserError(
          fmt::format("{}: a store of {} bytes to the device at {:#x} is refused; expected a register "
                      "of 8 bytes",
                      node_name_, store.bytes, store.address))));
      return;
    }
    stores_.pop_front();
  }
}

}  // namespace psim::cosim
