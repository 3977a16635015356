// SPDX-License-Identifier: Apache-2.0
// Several loads on one network, such as ranks, detailed nodes and background traffic. Each has nodes of its
// own, from which its messages come, and a range of rank numbers for its timers and resumptions.
//
// A load that ends its run gets no further events; the others continue. The run ends when no event is left.
// With background traffic, which has no end, it ends when every other load has ended or is done.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "netsim/simulation.h"

namespace psim::net {

class LoadGroup final : public Load {
 public:
  /// `nodes`: of the network. `owners` is as Load::owners(). `ends`, called once per window, returns true to
  /// end the whole run, for an interruption or an error in this host process.
  LoadGroup(std::uint32_t nodes, std::uint32_t owners, std::function<bool()> ends);

  enum class Kind : std::uint8_t {
    Foreground,
    Background,  ///< never done; the run does not wait for it
  };
  /// Adds a load, which outlives the group, with the messages of `nodes` and with `ranks` ranks. Returns the
  /// number of its first rank: the load adds it to the ranks of its timers, and gets ranks from 0 on.
  std::uint32_t add(Load& load, std::span<const std::uint32_t> nodes, std::uint32_t ranks, Kind kind);

  /// Returns whether the run was ended by `ends` of any host process.
  bool ended() const { return ended_; }

  // Load
  void delivered(Message& message) override { part_of(message).load->delivered(message); }
  void departed(Message& message) override { part_of(message).load->departed(message); }
  void timer(std::uint64_t token, std::uint32_t rank) override;
  bool outdated(std::uint64_t token, std::uint32_t rank) const override;
  void resume(std::uint32_t rank) override;
  std::uint32_t owners() const override { return owners_; }
  Votes votes() override;
  bool should_continue(std::uint64_t start, const Votes& votes) override;
  void write(std::uint32_t process, Parcel& parcel) override;
  void read(std::uint32_t process, Parcel& parcel) override;

 private:
  struct Part {
    Load* load;
    std::uint32_t first, end;  ///< its ranks
    Kind kind;
    bool over = false;  ///< it has ended its run
    Votes own{}, all{};
  };
  Part& part_of(const Message& message) { return parts_[of_node_[message.source]]; }
  const Part& part_of(std::uint32_t rank) const;

  std::vector<std::uint8_t> of_node_;  ///< index of the part
  std::uint32_t owners_;
  std::function<bool()> ends_;
  std::vector<Part> parts_;
  bool ended_ = false;
};

}  // namespace psim::net
