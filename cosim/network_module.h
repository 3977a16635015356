// SPDX-License-Identifier: Apache-2.0
// The packet network as one SystemC module, so that its time and that of other modules is one time axis.
//
// The network serves windows of its lookahead, each when SystemC reaches its start; it keeps its own queue
// and arms one sc_event for the next window. Its reports (deliveries, by Load::delivered) lie in the window
// being served, so at or after the present of SystemC: notify `at(time)` to act on one at its exact time.
// Messages of other modules must enter the network a lookahead or more after the SystemC time of their
// decision.
//
// Several host processes agree on each window after the one before. None of their modules can act before its
// next pending event, nor send earlier than the module's `notice` after that. So all agree on the earliest of
// these times and of the network's own events, and SystemC runs up to that window in every process.
#pragma once

#include <cstdint>
#include <systemc>

#include "netsim/simulation.h"

namespace psim::cosim {

class NetworkModule : public sc_core::sc_module {
 public:
  /// `network` must outlive it and has one host process. Events scheduled in it before the start of SystemC
  /// are served.
  NetworkModule(sc_core::sc_module_name name, net::Simulation& network);
  /// For several host processes. `notice`, ps, is the least time by which messages are announced; at least
  /// the lookahead.
  NetworkModule(sc_core::sc_module_name name, net::Simulation& network, std::uint64_t notice);

  /// Call after an event was scheduled from outside: the network then recomputes its next window.
  void scheduled();
  /// Returns the time from SystemC's present to `time`, ps; for sc_event::notify.
  static sc_core::sc_time until(std::uint64_t time);
  /// Returns true if no window is left, or the load has ended the run.
  bool done() const { return done_; }

 private:
  void serve();
  void serve_agreed();

  net::Simulation& network_;
  const std::uint64_t notice_ = 0;  ///< 0: one host process
  sc_core::sc_event window_;
  bool agreed_ = false;  ///< a window to serve now
  bool done_ = false;
};

}  // namespace psim::cosim
