// SPDX-License-Identifier: Apache-2.0
// The output of the programs of all detailed nodes, and of ranks on the same network: in the order of
// simulated time, of one instant ranks first, then nodes, each by number. So it is the same on any number of
// host processes, the first of which prints all. Lines of standard output are passed on whole.
//
// It is a load without messages (netsim/load_group.h), because text travels with the windows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/simulation.h"
#include "ranks/libc/output.h"

namespace psim::cosim {

class GuestOutput final : public net::Load {
 public:
  /// Prints a piece of rank `source`, or of node `source` - `ranks`.
  using Print = std::function<void(std::uint32_t source, net::Stream stream, std::string_view text)>;
  /// `ranks`: of other loads. `processes` outlives this.
  GuestOutput(std::uint32_t ranks, net::HostProcesses& processes, Print print);

  /// Takes text that a node's program wrote at `time`, ps, which lies in SystemC's present or after it.
  void write_node(std::uint64_t time, std::uint32_t node, net::Stream stream, std::string_view text);
  /// Takes text of a rank, in the order of time. In the first process only.
  void write_rank(std::uint64_t time, std::uint32_t rank, net::Stream stream, std::string_view text);
  /// Prints all text before the present, if there are neither ranks nor other processes. Otherwise each
  /// window prints.
  void flush();
  /// Prints the rest, after the simulation. Called in every process.
  void finish();

  // Load
  void delivered(net::Message&) override {}
  void departed(net::Message&) override {}
  void timer(std::uint64_t, std::uint32_t) override {}
  void resume(std::uint32_t) override {}
  net::Votes votes() override;
  bool should_continue(std::uint64_t start, const net::Votes&) override;
  bool done(const net::Votes&) const override { return true; }
  void write(std::uint32_t process, net::Parcel& parcel) override;
  void read(std::uint32_t process, net::Parcel& parcel) override;

 private:
  void add(net::Printed piece);
  void print_before(std::uint64_t time);

  const std::uint32_t ranks_;
  net::HostProcesses& processes_;
  Print print_;
  net::OutputOrder order_;
  std::vector<net::Printed> for_first_;
  std::map<std::uint32_t, std::string> held_;  ///< beginnings of lines, by node
  std::uint64_t complete_ = 0;                 ///< all text before this time is known in its process, ps
};

}  // namespace psim::cosim
