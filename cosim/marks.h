// SPDX-License-Identifier: Apache-2.0
// The marks that a core commits: begins and ends of regions and of MPI calls, for the accounts of time and of
// energy.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "isa/state/region_marker.h"
#include "pipeline/region_listener.h"

namespace psim::cosim {

/// Receives the marks of a core in the order in which they commit, with the totals of the core.
class MarkListener {
 public:
  virtual void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) = 0;

 protected:
  ~MarkListener() = default;
};

/// Takes the marks of one core and passes each to all listeners.
class CoreMarks final : public pipeline::RegionListener {
 public:
  /// `next_mark` returns the marks in the order in which they commit. The core is to have this as its
  /// listener.
  explicit CoreMarks(std::function<isa::RegionMarker()> next_mark) : next_mark_(std::move(next_mark)) {}
  CoreMarks(const CoreMarks&) = delete;
  /// Call before the simulation. `listener` outlives this.
  void add(MarkListener& listener) { listeners_.push_back(&listener); }

  pipeline::RegionMark on_region_marker(const pipeline::Totals& totals) override {
    mark_ = next_mark_();
    for (MarkListener* listener : listeners_) listener->on_mark(mark_, totals);
    return {0, totals.cycles, mark_.name, mark_.begin};
  }

 private:
  const std::function<isa::RegionMarker()> next_mark_;
  std::vector<MarkListener*> listeners_;
  isa::RegionMarker mark_;
};

/// The MPI call in which a program is. A function that another one calls belongs to that one. MGEN_Comp() is
/// none: it computes.
class OpenCall {
 public:
  void follow(const isa::RegionMarker& mark) {
    if (mark.name == "MGEN_Comp") return;
    if (mark.begin && depth_++ == 0) name_ = mark.name;
    if (!mark.begin && depth_ != 0 && --depth_ == 0) name_.clear();
  }
  bool any() const { return depth_ != 0; }
  const std::string& name() const { return name_; }  ///< empty: none

 private:
  std::string name_;
  unsigned depth_ = 0;
};

/// Returns the innermost of the open regions with this name, the innermost last; end(): none. Regions may
/// overlap.
template <class Open, class Name>
auto innermost(Open& open, const std::string& name, Name name_of) {
  const auto found =
      std::find_if(open.rbegin(), open.rend(), [&](const auto& one) { return name_of(one) == name; });
  return found == open.rend() ? open.end() : std::prev(found.base());
}

/// Where a program is, after the marks of a core: in regions, and in an MPI call.
class MarkedPlace {
 public:
  void follow(const isa::RegionMarker& mark) {
    if (mark.call)
      call_.follow(mark);
    else if (mark.begin)
      regions_.push_back(mark.name);
    else if (const auto open = innermost(regions_, mark.name, std::identity()); open != regions_.end())
      regions_.erase(open);
  }
  /// Returns the innermost region and the outermost MPI function; empty: none.
  std::pair<std::string, std::string> names() const {
    return {regions_.empty() ? std::string() : regions_.back(), call_.name()};
  }
  bool in_call() const { return call_.any(); }

 private:
  std::vector<std::string> regions_;  ///< open ones, the innermost last
  OpenCall call_;
};

}  // namespace psim::cosim
