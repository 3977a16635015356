// SPDX-License-Identifier: Apache-2.0
#include "energy/model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "energy/hardware_table.h"
#include "pipeline/timeline_activity.h"

namespace psim::energy {

using enum Coefficient;
using isa::LatencyClass;
using pipeline::Activity;
using pipeline::InstructionActivity;
using pipeline::Stage;

namespace {
constexpr std::size_t kCounts = sizeof(Activity) / sizeof(std::uint64_t);
constexpr std::size_t kWorkCounts = sizeof(InstructionActivity) / sizeof(std::uint64_t);
using Counts = std::array<std::uint64_t, kCounts>;
using WorkCounts = std::array<std::uint64_t, kWorkCounts>;

/// Returns the index of this member among the counts of `activity`.
std::size_t distance(const Activity& activity, const std::uint64_t& count) {
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&count) -
                                  reinterpret_cast<const char*>(&activity)) /
         sizeof count;
}
}  // namespace

/// Builds the model, naming counts by the members of an Activity that is never filled.
class ModelBuilder {
 public:
  ModelBuilder(Model& model, const Config& config, const Hardware& hardware)
      : model_(model), c_(config.coefficients), gating_(config.gating), hardware_(hardware) {}

  void build() {
    for (std::size_t i = 0; i < isa::kLatencyClasses; ++i) {
      const auto latency = static_cast<LatencyClass>(i);
      instructions(shape_.committed[i], latency, owner_of(latency));
      instructions(shape_.flushed[i], latency, Owner::Flushed);
      data_cache(i, owner_of(latency));
    }
    fetch();
    memory();
    transfers();
    if (gating_ != Gating::Ideal) ungated();
    leakage();
  }

 private:
  void add(const std::uint64_t& count, Component component, Owner owner, Femtojoules each) {
    if (each == 0) return;
    const auto at = static_cast<std::uint32_t>(distance(shape_, count));
    model_.terms_.push_back(
        {at, static_cast<std::uint8_t>(component), static_cast<std::uint8_t>(owner), each});
    model_.weights_[at] += each;
  }
  void array(const std::uint64_t& count, Component component, Owner owner, Coefficient access) {
    add(count, component, owner, value(access));
  }
  /// Adds `bits` latches clocked per count. For components with coarser gating, ungated() adds the rest.
  void latches(const std::uint64_t& count, Component component, Owner owner, std::uint64_t bits,
               Coefficient latch = LatchCore) {
    const Femtojoules each = static_cast<Femtojoules>(bits) * value(latch);
    add(count, component, owner, each);
    if (gated_worse(component)) add(count, component, Owner::IdleLatches, -each);
  }
  Femtojoules value(Coefficient c) const { return static_cast<Femtojoules>(c_[c]); }
  bool gated_worse(Component component) const {
    return gating_ == Gating::None || (gating_ == Gating::Stage && slots_by_stage(component) != 0);
  }
  /// Returns the number of instructions that share a stage clocked as one; 0 if each component has its own
  /// clock.
  std::uint32_t slots_by_stage(Component component) const {
    switch (static_cast<Stage>(component)) {
      case Stage::IB:
      case Stage::IR:
        return hardware_.core.fetch.width;
      case Stage::E:
      case Stage::D:
        return hardware_.core.window.decode_width;
      case Stage::W:
        return hardware_.core.window.commit_width;
      default:
        return 0;
    }
  }

  void instructions(const InstructionActivity& work, LatencyClass latency, Owner owner);
  void data_cache(std::size_t latency, Owner owner);
  void fetch();
  void memory();
  void pes(const pipeline::PeActivity& work, LatencyClass latency, Owner owner);
  void transfers();
  void ungated();
  void leakage();

  Model& model_;
  const Coefficients& c_;
  const Gating gating_;
  const Hardware& hardware_;
  const Activity shape_{};
};

void ModelBuilder::instructions(const InstructionActivity& work, LatencyClass latency, Owner owner) {
  const PipeBits pipe = pipe_bits(pipe_of(latency));
  const auto stage = [&](Stage s, Coefficient bits) {
    latches(work.moves[static_cast<std::size_t>(s)], component_of(s), owner, c_[bits]);
  };
  stage(Stage::IB, BitsIb), stage(Stage::IR, BitsIr), stage(Stage::E, BitsE), stage(Stage::D, BitsD);
  stage(Stage::P, BitsP), stage(Stage::B, pipe.b), stage(Stage::X, pipe.x);
  stage(Stage::Ps, BitsPs), stage(Stage::Ts, BitsTs), stage(Stage::Ms, BitsMs);
  stage(Stage::Bs, BitsBs), stage(Stage::Rs, BitsRs), stage(Stage::U, BitsU), stage(Stage::W, BitsW);

  const auto moved = [&work](Stage s) -> const std::uint64_t& {
    return work.moves[static_cast<std::size_t>(s)];
  };
  latches(work.buffered, Component::InstructionBuffer, owner, c_[EntryBuffer]);
  latches(work.entered, Component::CommitStack, owner, c_[EntryCommit]);
  if (takes_fetch_port(latency)) latches(work.entered, Component::FetchPorts, owner, c_[EntryFetchPort]);
  if (takes_store_port(latency)) latches(work.entered, Component::StoreQueue, owner, c_[EntryStorePort]);
  latches(work.station_writes, Component::Stations, owner, c_[EntryStation]);
  array(moved(Stage::P), Component::WakeUp, owner, Select);
  add(work.broadcasts, Component::WakeUp, owner, value(WakeUpEntry) * station_entries(hardware_.core));
  array(work.map_lookups, Component::RenameMap, owner, MapLookup);
  array(work.map_updates, Component::RenameMap, owner, MapUpdate);
  // An operand is read from the register file and the rename registers at once, and one value is used.
  array(work.integer_reads, Component::Gpr, owner, GprRead);
  array(work.integer_reads, Component::Gub, owner, GubRead);
  array(work.fp_reads, Component::Fpr, owner, FprRead);
  array(work.fp_reads, Component::Fub, owner, FubRead);
  array(work.integer_results, Component::Gub, owner, GubWrite);
  array(work.fp_results, Component::Fub, owner, FubWrite);
  array(work.integer_retired, Component::Gub, owner, GubRead);
  array(work.integer_retired, Component::Gpr, owner, GprWrite);
  array(work.fp_retired, Component::Fub, owner, FubRead);
  array(work.fp_retired, Component::Fpr, owner, FprWrite);
  if (latency != LatencyClass::None)
    array(work.operations, units_of(pipe_of(latency)), owner, execution_of(latency));
  pes(work.pes, latency, owner);
}

void ModelBuilder::data_cache(std::size_t latency, Owner owner) {
  array(shape_.data_reads[latency], Component::DataCache, owner, DataRead);
  array(shape_.data_writes[latency], Component::DataCache, owner, DataWrite);
  array(shape_.data_reads[latency], Component::DataTlb, owner, TlbLookup);
  array(shape_.data_writes[latency], Component::DataTlb, owner, TlbLookup);
}

void ModelBuilder::fetch() {
  latches(shape_.fetch_blocks, component_of(Stage::IA), Owner::Fetch, c_[BitsIa]);
  latches(shape_.fetch_blocks, component_of(Stage::IT), Owner::Fetch, c_[BitsIt]);
  latches(shape_.fetch_blocks, component_of(Stage::IM), Owner::Fetch, c_[BitsIm]);
  array(shape_.fetch_blocks, Component::InstructionCache, Owner::Fetch, InstructionRead);
  array(shape_.fetch_blocks, Component::InstructionTlb, Owner::Fetch, TlbLookup);
  array(shape_.fetch_blocks, Component::BranchHistory, Owner::Fetch, HistorySearch);
  latches(shape_.prefetch_steps, component_of(Stage::IA), Owner::Fetch, c_[BitsIa]);
  latches(shape_.prefetch_steps, component_of(Stage::IT), Owner::Fetch, c_[BitsIt]);
  latches(shape_.prefetch_steps, component_of(Stage::IM), Owner::Fetch, c_[BitsIm]);
  array(shape_.prefetch_steps, Component::BranchHistory, Owner::Fetch, HistorySearch);
  array(shape_.instruction_cache.prefetches, Component::InstructionCache, Owner::Fetch, PrefetchLookup);
  array(shape_.instruction_cache.prefetches, Component::InstructionTlb, Owner::Fetch, TlbLookup);
  array(shape_.history_updates, Component::BranchHistory, Owner::Fetch, HistoryUpdate);
  array(shape_.return_stack, Component::ReturnStack, Owner::Fetch, Coefficient::ReturnStack);
}

void ModelBuilder::memory() {
  constexpr Owner kOwner = Owner::Memory;
  array(shape_.queue_searches, Component::StoreQueue, owner_of(LatencyClass::Load), QueueSearch);
  array(shape_.instruction_cache.fills, Component::InstructionCache, kOwner, InstructionFill);
  array(shape_.instruction_cache.tlb_refills, Component::InstructionTlb, kOwner, TlbRefill);
  array(shape_.data_cache.prefetches, Component::DataCache, kOwner, PrefetchLookup);
  array(shape_.data_cache.prefetches, Component::DataTlb, kOwner, TlbLookup);
  array(shape_.data_cache.fills, Component::DataCache, kOwner, DataLine);
  array(shape_.data_cache.write_backs, Component::DataCache, kOwner, DataLine);
  array(shape_.data_cache.tlb_refills, Component::DataTlb, kOwner, TlbRefill);
  array(shape_.memory.l2_reads, Component::L2, kOwner, L2Line);
  array(shape_.memory.l2_writes, Component::L2, kOwner, L2Line);
  array(shape_.memory.bytes, Component::MemoryInterface, kOwner, MemoryByte);
}

/// Adds the work in the PEs. Addresses are computed in the scalar part.
void ModelBuilder::pes(const pipeline::PeActivity& work, LatencyClass latency, Owner owner) {
  latches(work.broadcasts, component_of(Stage::C), owner, c_[BitsC] * hardware_.pes);
  latches(work.notices, component_of(Stage::W1), owner, c_[BitsW1] * hardware_.pes);
  latches(work.station_writes, Component::SimdStation, owner, c_[EntrySimdStation]);
  latches(work.begun, Component::PeB, owner, c_[BitsPeB], LatchPe);
  latches(work.cycles, Component::PeX, owner, c_[BitsPeX], LatchPe);
  latches(work.results, Component::PeU, owner, c_[BitsPeU] * hardware_.core.stages.u, LatchPe);
  if (latency != LatencyClass::None) array(work.operations, Component::PeUnits, owner, execution_of(latency));
  array(work.register_reads, Component::Sfpr, owner, SfprRead);
  array(work.register_writes, Component::Sfpr, owner, SfprWrite);
  array(work.sbm_reads, Component::Sbm, owner, SbmRead);
  array(work.sbm_writes, Component::Sbm, owner, SbmWrite);
  array(work.cross_operands, Component::PeLinks, owner, CrossOperand);
  array(work.moves, Component::PeLinks, owner, ScalarMove);
}

void ModelBuilder::transfers() {
  array(shape_.transfers.requests, Component::TransferEngine, Owner::Transfers, TransferRequest);
  array(shape_.transfers.bytes, Component::TransferEngine, Owner::Transfers, TransferByte);
}

void ModelBuilder::ungated() {
  const auto clocked = [&](const std::uint64_t& cycles, Component component, std::uint64_t bits,
                           Coefficient latch) {
    add(cycles, component, Owner::IdleLatches, static_cast<Femtojoules>(bits) * value(latch));
  };
  for (const LatchPool& pool : latch_pools(c_, hardware_)) {
    if (gating_ == Gating::None) {
      clocked(shape_.cycles, pool.component, pool.bits, pool.latch);
    } else if (slots_by_stage(pool.component) != 0) {
      const auto stage = static_cast<Stage>(pool.component);
      clocked(stage == Stage::W   ? shape_.commit_groups
              : stage >= Stage::E ? shape_.decode_groups
                                  : shape_.fetch_groups,
              pool.component, pool.bits, pool.latch);
    }
  }
}

void ModelBuilder::leakage() {
  // uW × s = 10^9 fJ; rounded once, to femtojoules per cycle.
  const auto each_cycle = [&](Coefficient power, std::uint64_t times) {
    return static_cast<Femtojoules>(
        std::llround(static_cast<double>(c_[power] * times) * 1e9 / hardware_.core.clock_hz));
  };
  add(shape_.cycles, Component::LeakageCore, Owner::Leakage, each_cycle(Coefficient::LeakageCore, 1));
  add(shape_.cycles, Component::LeakageL2, Owner::Leakage, each_cycle(Coefficient::LeakageL2, 1));
  add(shape_.cycles, Component::LeakagePes, Owner::Leakage, each_cycle(LeakagePe, hardware_.pes));
}

Model::Model(const Config& config, const Hardware& hardware) : weights_(kCounts) {
  ModelBuilder(*this, config, hardware).build();
  std::sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.count < b.count; });
  own_.resize(isa::kLatencyClasses * kWorkCounts);
  const Activity shape;
  const std::size_t first = distance(shape, shape.committed.front().left);
  for (const Term& term : terms_)
    if (term.owner < isa::kLatencyClasses && term.count >= first && term.count - first < own_.size())
      own_[term.count - first] += term.each;
}

Breakdown Model::energy_of(const Activity& activity) const {
  const auto counts = std::bit_cast<Counts>(activity);
  Breakdown result;
  for (const Term& term : terms_) {
    const Femtojoules energy = static_cast<std::int64_t>(counts[term.count]) * term.each;
    result.components[term.component] += energy;
    result.owners[term.owner] += energy;
  }
  result.total = total_of(activity);
  return result;
}

Femtojoules Model::total_of(const Activity& activity) const {
  const auto counts = std::bit_cast<Counts>(activity);
  Femtojoules total = 0;
  for (std::size_t i = 0; i < kCounts; ++i) total += static_cast<std::int64_t>(counts[i]) * weights_[i];
  return total;
}

Femtojoules Model::energy_of(LatencyClass latency, const InstructionActivity& work) const {
  const auto counts = std::bit_cast<WorkCounts>(work);
  const Femtojoules* const each = &own_[static_cast<std::size_t>(latency) * kWorkCounts];
  Femtojoules total = 0;
  for (std::size_t i = 0; i < kWorkCounts; ++i) total += static_cast<std::int64_t>(counts[i]) * each[i];
  return total;
}

Femtojoules Model::energy_of(const pipeline::InstructionTimeline& timeline) const {
  const pipeline::TimelineActivity one = pipeline::activity_of(timeline);
  return energy_of(one.latency, one.work);
}

}  // namespace psim::energy
