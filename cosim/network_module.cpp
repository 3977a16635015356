// SPDX-License-Identifier: Apache-2.0
#include "cosim/network_module.h"

#include "cosim/present.h"

namespace psim::cosim {

NetworkModule::NetworkModule(sc_core::sc_module_name name, net::Simulation& network)
    : sc_core::sc_module(name), network_(network) {
  SC_HAS_PROCESS(NetworkModule);
  SC_METHOD(serve);
  sensitive << window_;
  dont_initialize();
  scheduled();
}

NetworkModule::NetworkModule(sc_core::sc_module_name name, net::Simulation& network, std::uint64_t notice)
    : sc_core::sc_module(name), network_(network), notice_(notice) {
  SC_HAS_PROCESS(NetworkModule);
  SC_METHOD(serve_agreed);
}

sc_core::sc_time NetworkModule::until(std::uint64_t time) { return until_ps(time); }

void NetworkModule::scheduled() {
  if (notice_ != 0) return;  // the agreed window is early enough
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

void NetworkModule::serve_agreed() {
  if (agreed_ && !network_.serve_window()) {  // the load has ended the run, in every process
    done_ = true;
    return sc_core::sc_stop();
  }
  std::uint64_t earliest = net::EventWheel::kNever;
  if (sc_core::sc_pending_activity())
    earliest = present_ps() + to_ps(sc_core::sc_time_to_pending_activity()) + notice_;
  const std::uint64_t start = network_.agree_on_window(earliest);
  agreed_ = start != net::EventWheel::kNever;
  done_ = !agreed_;
  if (agreed_) next_trigger(until(start));
}

}  // namespace psim::cosim
