// SPDX-License-Identifier: Apache-2.0
#include "cosim/network_module.h"

namespace psim::cosim {
namespace {

std::uint64_t present() {
  return static_cast<std::uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS));
}

}  // namespace

NetworkModule::NetworkModule(sc_core::sc_module_name name, net::Simulation& network)
    : sc_core::sc_module(name), network_(network) {
  SC_HAS_PROCESS(NetworkModule);
  SC_METHOD(serve);
  sensitive << window_;
  dont_initialize();
  scheduled();
}

sc_core::sc_time NetworkModule::until(std::uint64_t time) {
  return sc_core::sc_time(static_cast<double>(time - present()), sc_core::SC_PS);
}

void NetworkModule::scheduled() {
  const std::uint64_t start = network_.engine().next_start();
  if (start == net::EventWheel::kNever) return;
  done_ = false;
  // An earlier notification replaces a later one, not the reverse.
  window_.notify(until(start));
}

void NetworkModule::serve() {
  // A step() without events notifies the load, which may have to end its run.
  done_ = !network_.step() || network_.engine().next_start() == net::EventWheel::kNever;
  if (!done_) scheduled();
}

}  // namespace psim::cosim
