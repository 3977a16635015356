// SPDX-License-Identifier: Apache-2.0
// The energy of one node of psim cosim: cores, caches, memory and network interface, over time and by the
// region and the MPI call in which the cores are.
//
// Energy is linear in counts, so the difference of two samples is exactly the energy between them. Each core
// is sampled when it commits a mark (a region or an MPI call begins or ends), after every interval, and
// before and after a sleep in which an interval ends. The parts that cores share (L2, memory, interface) are
// sampled with core 0, so while it sleeps, they have their mean power. They belong to its place in the
// program; if the node has several ranks, to none. All sums are of whole femtojoules: rows, slices and parts
// each sum exactly to the node's energy.
//
// A core that sleeps has no energy but leakage and the power of its clock, whatever the gating.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bounded_series.h"
#include "cosim/dma_port.h"
#include "cosim/marks.h"
#include "cosim/nic.h"
#include "cosim/node_account.h"
#include "cosim/timed_count.h"
#include "energy/machine_parts.h"
#include "energy/model.h"
#include "energy/node_power.h"
#include "machines/machine.h"
#include "netsim/parallel/parcel.h"
#include "pipeline/core.h"
#include "pipeline/memory/memory_system.h"

namespace psim::cosim {

class NodeEnergy final : private DmaPort::Listener {
 public:
  static constexpr std::uint64_t kInterval = 10'000;  ///< cycles between samples over time
  static constexpr std::size_t kSlices = 256;
  static constexpr std::size_t kMostPlaces = 1'000;

  /// A core and its marks.
  struct MarkedCore {
    std::uint32_t rank;  ///< of the node
    pipeline::Core& core;
    const pipeline::L1Cache& data_cache;
    CoreMarks& marks;
  };
  /// Construct it before the simulation starts; all arguments outlive it.
  NodeEnergy(const Machine& machine, const energy::NodePower& power, const std::vector<MarkedCore>& cores,
             const pipeline::MemorySystem& memory, DmaPort& dma, Nic& interface);
  ~NodeEnergy();

  /// Call after the simulation.
  NodeAccount finish();

 private:
  class CoreAccount;
  void on_dma_begin() override;
  void on_dma_end() override;
  void on_dma_bytes(std::uint64_t bytes) override;
  /// Energy from the start to a cycle of one core.
  struct Sample {
    energy::Breakdown core;
    energy::MachineParts parts;
    std::uint64_t time = 0, sleep = 0;  ///< ps
    energy::Femtojoules while_asleep = 0;
  };
  /// Returns the sample of a core now; at the end of the run with all events. A core's samples are in order
  /// of time. `shared`: with the parts that all cores share.
  Sample sample(std::size_t core, bool shared);
  Sample sample(std::size_t core) { return sample(core, core == 0 && !several_ranks_); }

  Sample shared();
  void slice_shared();
  void add_shared(NodeAccount& node);

  const energy::NodePower& power_;
  const energy::Model model_;
  const std::uint64_t period_;  ///< ps
  const pipeline::MemorySystem& memory_;
  const bool several_ranks_;
  bool ended_ = false;
  TimedCount packets_, dma_bytes_;  ///< of the interface
  /// Effects of DMA: bytes between chip and memory, and lines that the L1D of each core writes back.
  TimedCount memory_bytes_;
  std::vector<TimedCount> write_backs_;
  std::uint64_t memory_bytes_at_begin_ = 0;  ///< of an access by DMA
  std::vector<std::uint64_t> write_backs_at_begin_;
  energy::Breakdown idle_cycle_;  ///< latches clocked in a cycle in which nothing moves
  energy::Femtojoules core_leakage_ = 0, l2_leakage_ = 0;  ///< in a cycle; of one core with its PEs
  energy::MachineParts sliced_shared_;
  BoundedSeries<EnergySlice, join_slices> shared_slices_{kSlices};
  std::vector<std::unique_ptr<CoreAccount>> cores_;
};

}  // namespace psim::cosim
