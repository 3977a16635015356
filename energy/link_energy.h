// SPDX-License-Identifier: Apache-2.0
// The energy of links, from the time that their directions spent in low power. Power per port is the model of
// paper 002 (after Reviriego et al., HPCS 2012): base at all times, dynamic unless in low power; T_s and T_w
// are active. A port is one direction here: its own output (docs/decisions/0024).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/schema.h"
#include "netsim/sleep/link_sleep.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::energy {

/// The power of one direction of a link.
struct LinkPower {
  std::uint64_t base = 2'080'000;     ///< uW
  std::uint64_t dynamic = 1'360'000;  ///< uW in addition, unless in low power

  std::uint64_t active() const { return base + dynamic; }
};
/// Adds the keys link.power.…; `power` must outlive `schema`.
void describe(Schema& schema, LinkPower& power);

/// Attojoules: whole, as uW times ps are.
__extension__ using Attojoules = unsigned __int128;
inline double joules(Attojoules energy) { return static_cast<double>(energy) * 1e-18; }

/// A group of directions.
struct LinkGroup {
  std::string name;
  std::uint64_t directions = 0;
  std::uint64_t wakes = 0;
  std::uint64_t low = 0;  ///< ps, all directions
  Attojoules energy = 0;

  void add(const net::LinkSleep::Direction& direction, Attojoules spent) {
    ++directions, wakes += direction.wakes, low += direction.low, energy += spent;
  }
};

/// The awake time that one owner's packets caused (LinkSleep::shares).
struct LinkShare {
  std::uint64_t awake = 0;  ///< ps, all directions
  std::uint64_t wakes = 0;
  Attojoules energy = 0;
};

class LinkEnergy {
 public:
  /// Computes the energy of a run that has ended (LinkSleep::finish()).
  LinkEnergy(const net::LinkSleep& sleep, const net::Graph& graph, const LinkPower& power);

  Attojoules of(const net::LinkSleep::Direction& direction) const {
    return Attojoules{power_.base} * time_ + Attojoules{power_.dynamic} * (time_ - direction.low);
  }
  std::uint64_t time() const { return time_; }  ///< ps
  /// Returns the energy of the power that directions draw at all times; the rest of total() is dynamic.
  Attojoules base_energy() const { return Attojoules{power_.base} * time_ * total_.directions; }
  /// Returns the dynamic energy in bins of `bin_width()`; the last one reaches to time().
  const std::vector<Attojoules>& dynamic_over_time() const { return dynamic_bins_; }
  const LinkGroup& total() const { return total_; }
  const std::vector<LinkGroup>& kinds() const { return kinds_; }
  /// Returns each router's own outputs, to routers and to nodes.
  const std::vector<LinkGroup>& routers() const { return routers_; }
  /// Returns the shares by owner; empty if owners are not distinguished. The first share has no owner: low
  /// power, and awake time before any owner's packet came. It is the remainder, so that all shares sum to
  /// total().
  const std::vector<LinkShare>& shares() const { return shares_; }
  /// Returns the mean power, W; 0 for a run of length 0.
  double watts() const { return over_time(joules(total_.energy)); }
  /// Returns the mean power if no link ever slept in the same time.
  double always_on_watts() const {
    return static_cast<double>(power_.active()) * 1e-6 * static_cast<double>(total_.directions);
  }
  /// Returns power over time, W, in bins of `bin_width()` ps; the last ends with the run.
  const std::vector<double>& watts_over_time() const { return bins_; }
  std::uint64_t bin_width() const { return bin_width_; }

 private:
  double over_time(double joules) const {
    return time_ == 0 ? 0 : joules / (static_cast<double>(time_) * 1e-12);
  }

  LinkPower power_;
  std::uint64_t time_;
  LinkGroup total_;
  std::vector<LinkGroup> kinds_, routers_;
  std::vector<LinkShare> shares_;
  std::uint64_t bin_width_;
  std::vector<double> bins_;
  std::vector<Attojoules> dynamic_bins_;
};

}  // namespace psim::energy
