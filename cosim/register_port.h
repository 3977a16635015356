// SPDX-License-Identifier: Apache-2.0
// A core's window onto a device: stores that leave the core become TLM-2.0 writes of the same address, bytes
// and value, `delay` later, in the order in which they left.
// Output: out_registers, b_transport, with the PcExtension of the store.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <utility>

#include "cosim/present.h"
#include "pipeline/memory/device_window.h"

namespace psim::cosim {

class RegisterPort : public sc_core::sc_module, public pipeline::DeviceWindow {
 public:
  tlm_utils::simple_initiator_socket<RegisterPort> out_registers{"out_registers"};

  /// Registers at [first, first + bytes). `period`: a cycle of the core. A store that the device refuses goes
  /// to `failure`, prefixed with `who`.
  RegisterPort(sc_core::sc_module_name name, std::uint64_t first, std::uint64_t bytes,
               sc_core::sc_time period, sc_core::sc_time delay, Failure& failure, std::string node_name);

  /// Records the value of a store to the window, executed just now at `pc`. The core executes before it knows
  /// the time: values wait here until their stores leave, in program order.
  void executed(std::uint64_t address, std::uint64_t value, std::uint64_t pc) {
    values_.push_back({address, value, pc});
  }

  /// Calls `listener` with each store that leaves the core, at `time`, ps. Call before the simulation.
  using Listener = std::function<void(std::uint64_t address, std::uint64_t value, std::uint64_t time)>;
  void on_store(Listener listener) { listener_ = std::move(listener); }

  void store(std::uint64_t address, std::uint32_t bytes, std::uint64_t cycle) override;

 private:
  struct Value {
    std::uint64_t address, value, pc;
  };
  struct Store {
    std::uint64_t address, value, pc;
    std::uint32_t bytes;
    std::uint64_t at;  ///< ps
  };
  void sending();

  const std::uint64_t period_, delay_;  ///< ps
  Failure& failure_;
  const std::string node_name_;
  Listener listener_;  ///< empty: none
  std::deque<Value> values_;
  std::deque<Store> stores_;
  sc_core::sc_event more_;
};

}  // namespace psim::cosim
