// SPDX-License-Identifier: Apache-2.0
// The end of a run in which every node waits.
#include <algorithm>
#include <string>
#include <vector>

#include "base/console.h"
#include "cosim/cosim_run.h"
#include "cosim/node.h"

namespace psim {

/// Reports a deadlock: no event is left, but programs have not ended. Programs with queues report the call in
/// which they wait, and end.
void CosimRun::report_deadlock() {
  struct State {
    std::string waits_at;  // empty: it has ended
    int status = 0;
    std::string ended_at;
    bool left = false;  // without MPI_Finalize
  };
  const std::uint32_t ranks = scenario_.ranks(), all = scenario_.nodes * ranks;
  std::vector<State> states(all);  // by rank; in process 0 of all nodes
  std::uint64_t last = 0;          // cycle in which a program executed its last instruction
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
    for (std::uint32_t local = 0; local < ranks; ++local) {
      const isa::Process& here = program(slot, local);
      last = std::max(last, here.clock.core_cycles());
      State& state = states[here_[slot] * ranks + local];
      if (here.ending())
        state = {"", here.ending()->code, nodes_[slot]->describe_end(local), nodes_[slot]->left(local)};
      else
        state.waits_at = nodes_[slot]->describe(local);
    }
  processes_.gather(
      [&](net::Parcel& parcel) {
        for (const std::uint32_t number : here_)
          for (std::uint32_t rank = number * ranks; rank < (number + 1) * ranks; ++rank) {
            parcel.put(rank);
            parcel.put_text(states[rank].waits_at);
            parcel.put(states[rank].status);
            parcel.put_text(states[rank].ended_at);
            parcel.put(states[rank].left);
          }
        parcel.put(all);
        parcel.put(last);
      },
      [&](net::Parcel& parcel) {
        for (std::uint32_t rank; (rank = parcel.take<std::uint32_t>()) < all;) {
          states[rank].waits_at = parcel.take_text();
          states[rank].status = parcel.take<int>();
          states[rank].ended_at = parcel.take_text();
          states[rank].left = parcel.take<bool>();
        }
        last = std::max(last, parcel.take<std::uint64_t>());
      });
  const auto waits = [](const State& state) { return !state.waits_at.empty(); };
  if (processes_.rank() == 0 && std::ranges::any_of(states, waits)) {
    output_.flush();
    console::log("psim: deadlock at {:.6g} us: every node waits or has ended\n",
                 static_cast<double>(last) * pipeline::core_period(scenario_.node).to_seconds() * 1e6);
    for (std::uint32_t rank = 0; rank < all; ++rank)
      if (states[rank].left)
        console::log("psim: rank {} ended with status {} without MPI_Finalize\n", rank, states[rank].status);
    const cosim::NicRanks names{.of_node = ranks, .all = all};
    for (std::uint32_t rank = 0; rank < all; ++rank) {
      if (waits(states[rank])) {
        result_.deadlock.push_back(states[rank].waits_at);
        console::log("psim: {}: waits at {}", names.name(rank), states[rank].waits_at);
      } else {
        console::log("psim: {}: has ended with exit status {} at {}", names.name(rank), states[rank].status,
                     states[rank].ended_at);
      }
    }
    result_.status = isa::kDeadlockStatus;
  }
  bool stuck = false;
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
    for (std::uint32_t local = 0; local < ranks; ++local)
      if (!program(slot, local).ending()) stuck |= nodes_[slot]->interface().queues(local).report_stuck();
  if (stuck) sc_core::sc_start();
}

}  // namespace psim
