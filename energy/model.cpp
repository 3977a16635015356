// SPDX-License-Identifier: Apache-2.0
#include "energy/model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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
  void add(const std::uint64_t& count, Place place, Owner owner, Femtojoules each) {
    if (each == 0) return;
    const auto at = static_cast<std::uint32_t>(distance(shape_, count));
    model_.terms_.push_back({at, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(owner), each});
    model_.weights_[at] += each;
  }
  void array(const std::uint64_t& count, Place place, Owner owner, Coefficient access) {
    add(count, place, owner, value(access));
  }
  /// Adds `bits` latches clocked per count. For places with coarser gating, ungated() adds the rest.
  void latches(const std::uint64_t& count, Place place, Owner owner, std::uint64_t bits,
               Coefficient latch = LatchCore) {
    const Femtojoules each = static_cast<Femtojoules>(bits) * value(latch);
    add(count, place, owner, each);
    if (gated_worse(place)) add(count, place, Owner::IdleLatches, -each);
  }
  Femtojoules value(Coefficient c) const { return static_cast<Femtojoules>(c_[c]); }
  bool gated_worse(Place place) const {
    return gating_ == Gating::None || (gating_ == Gating::Stage && slots_by_stage(place) != 0);
  }
  /// Returns the number of instructions that share a stage clocked as one; 0 if each place has its own clock.
  std::uint32_t slots_by_stage(Place place) const {
    switch (static_cast<Stage>(place)) {
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
    latches(work.moves[static_cast<std::size_t>(s)], place_of(s), owner, c_[bits]);
  };
  stage(Stage::IB, BitsIb), stage(Stage::IR, BitsIr), stage(Stage::E, BitsE), stage(Stage::D, BitsD);
  stage(Stage::P, BitsP), stage(Stage::B, pipe.b), stage(Stage::X, pipe.x);
  stage(Stage::Ps, BitsPs), stage(Stage::Ts, BitsTs), stage(Stage::Ms, BitsMs);
  stage(Stage::Bs, BitsBs), stage(Stage::Rs, BitsRs), stage(Stage::U, BitsU), stage(Stage::W, BitsW);

  const auto moved = [&work](Stage s) -> const std::uint64_t& {
    return work.moves[static_cast<std::size_t>(s)];
  };
  latches(work.buffered, Place::InstructionBuffer, owner, c_[EntryBuffer]);
  latches(work.entered, Place::CommitStack, owner, c_[EntryCommit]);
  if (takes_fetch_port(latency)) latches(work.entered, Place::FetchPorts, owner, c_[EntryFetchPort]);
  if (takes_store_port(latency)) latches(work.entered, Place::StoreQueue, owner, c_[EntryStorePort]);
  latches(work.station_writes, Place::Stations, owner, c_[EntryStation]);
  array(moved(Stage::P), Place::WakeUp, owner, Select);
  add(work.broadcasts, Place::WakeUp, owner, value(WakeUpEntry) * station_entries(hardware_.core));
  array(work.map_lookups, Place::RenameMap, owner, MapLookup);
  array(work.map_updates, Place::RenameMap, owner, MapUpdate);
  // An operand is read from the register file and the rename registers at once, and one value is used.
  array(work.integer_reads, Place::Gpr, owner, GprRead);
  array(work.integer_reads, Place::Gub, owner, GubRead);
  array(work.fp_reads, Place::Fpr, owner, FprRead);
  array(work.fp_reads, Place::Fub, owner, FubRead);
  array(work.integer_results, Place::Gub, owner, GubWrite);
  array(work.fp_results, Place::Fub, owner, FubWrite);
  array(work.integer_retired, Place::Gub, owner, GubRead);
  array(work.integer_retired, Place::Gpr, owner, GprWrite);
  array(work.fp_retired, Place::Fub, owner, FubRead);
  array(work.fp_retired, Place::Fpr, owner, FprWrite);
  if (latency != LatencyClass::None)
    array(work.operations, units_of(pipe_of(latency)), owner, execution_of(latency));
  pes(work.pes, latency, owner);
}

void ModelBuilder::data_cache(std::size_t latency, Owner owner) {
  array(shape_.data_reads[latency], Place::DataCache, owner, DataRead);
  array(shape_.data_writes[latency], Place::DataCache, owner, DataWrite);
  array(shape_.data_reads[latency], Place::DataTlb, owner, TlbLookup);
  array(shape_.data_writes[latency], Place::DataTlb, owner, TlbLookup);
}

void ModelBuilder::fetch() {
  latches(shape_.fetch_blocks, place_of(Stage::IA), Owner::Fetch, c_[BitsIa]);
  latches(shape_.fetch_blocks, place_of(Stage::IT), Owner::Fetch, c_[BitsIt]);
  latches(shape_.fetch_blocks, place_of(Stage::IM), Owner::Fetch, c_[BitsIm]);
  array(shape_.fetch_blocks, Place::InstructionCache, Owner::Fetch, InstructionRead);
  array(shape_.fetch_blocks, Place::InstructionTlb, Owner::Fetch, TlbLookup);
  array(shape_.fetch_blocks, Place::BranchHistory, Owner::Fetch, HistorySearch);
  latches(shape_.prefetch_steps, place_of(Stage::IA), Owner::Fetch, c_[BitsIa]);
  latches(shape_.prefetch_steps, place_of(Stage::IT), Owner::Fetch, c_[BitsIt]);
  latches(shape_.prefetch_steps, place_of(Stage::IM), Owner::Fetch, c_[BitsIm]);
  array(shape_.prefetch_steps, Place::BranchHistory, Owner::Fetch, HistorySearch);
  array(shape_.instruction_cache.prefetches, Place::InstructionCache, Owner::Fetch, PrefetchLookup);
  array(shape_.instruction_cache.prefetches, Place::InstructionTlb, Owner::Fetch, TlbLookup);
  array(shape_.history_updates, Place::BranchHistory, Owner::Fetch, HistoryUpdate);
  array(shape_.return_stack, Place::ReturnStack, Owner::Fetch, Coefficient::ReturnStack);
}

void ModelBuilder::memory() {
  constexpr Owner kOwner = Owner::Memory;
  array(shape_.queue_searches, Place::StoreQueue, owner_of(LatencyClass::Load), QueueSearch);
  array(shape_.instruction_cache.fills, Place::InstructionCache, kOwner, InstructionFill);
  array(shape_.instruction_cache.tlb_refills, Place::InstructionTlb, kOwner, TlbRefill);
  array(shape_.data_cache.prefetches, Place::DataCache, kOwner, PrefetchLookup);
  array(shape_.data_cache.prefetches, Place::DataTlb, kOwner, TlbLookup);
  array(shape_.data_cache.fills, Place::DataCache, kOwner, DataLine);
  array(shape_.data_cache.write_backs, Place::DataCache, kOwner, DataLine);
  array(shape_.data_cache.tlb_refills, Place::DataTlb, kOwner, TlbRefill);
  array(shape_.memory.l2_reads, Place::L2, kOwner, L2Line);
  array(shape_.memory.l2_writes, Place::L2, kOwner, L2Line);
  array(shape_.memory.bytes, Place::MemoryInterface, kOwner, MemoryByte);
}

/// Adds the work in the PEs. Addresses are computed in the scalar part.
void ModelBuilder::pes(const pipeline::PeActivity& work, LatencyClass latency, Owner owner) {
  latches(work.broadcasts, place_of(Stage::C), owner, c_[BitsC] * hardware_.pes);
  latches(work.notices, place_of(Stage::W1), owner, c_[BitsW1] * hardware_.pes);
  latches(work.station_writes, Place::SimdStation, owner, c_[EntrySimdStation]);
  latches(work.begun, Place::PeB, owner, c_[BitsPeB], LatchPe);
  latches(work.cycles, Place::PeX, owner, c_[BitsPeX], LatchPe);
  latches(work.results, Place::PeU, owner, c_[BitsPeU] * hardware_.core.stages.u, LatchPe);
  if (latency != LatencyClass::None) array(work.operations, Place::PeUnits, owner, execution_of(latency));
  array(work.register_reads, Place::Sfpr, owner, SfprRead);
  array(work.register_writes, Place::Sfpr, owner, SfprWrite);
  array(work.sbm_reads, Place::Sbm, owner, SbmRead);
  array(work.sbm_writes, Place::Sbm, owner, SbmWrite);
  array(work.cross_operands, Place::PeLinks, owner, CrossOperand);
  array(work.moves, Place::PeLinks, owner, ScalarMove);
}

void ModelBuilder::transfers() {
  array(shape_.transfers.requests, Place::TransferEngine, Owner::Transfers, TransferRequest);
  array(shape_.transfers.bytes, Place::TransferEngine, Owner::Transfers, TransferByte);
}

void ModelBuilder::ungated() {
  const auto clocked = [&](const std::uint64_t& cycles, Place place, std::uint64_t bits, Coefficient latch) {
    add(cycles, place, Owner::IdleLatches, static_cast<Femtojoules>(bits) * value(latch));
  };
  for (const LatchPool& pool : latch_pools(c_, hardware_)) {
    if (gating_ == Gating::None) {
      clocked(shape_.cycles, pool.place, pool.bits, pool.latch);
    } else if (slots_by_stage(pool.place) != 0) {
      const auto stage = static_cast<Stage>(pool.place);
      clocked(stage == Stage::W   ? shape_.commit_groups
              : stage >= Stage::E ? shape_.decode_groups
                                  : shape_.fetch_groups,
              pool.place, pool.bits, pool.latch);
    }
  }
}

void ModelBuilder::leakage() {
  // uW × s = 10^9 fJ; rounded once, to femtojoules per cycle.
  const auto each_cycle = [&](Coefficient power, std::uint64_t times) {
    return static_cast<Femtojoules>(
        std::llround(static_cast<double>(c_[power] * times) * 1e9 / hardware_.core.clock_hz));
  };
  add(shape_.cycles, Place::LeakageCore, Owner::Leakage, each_cycle(Coefficient::LeakageCore, 1));
  add(shape_.cycles, Place::LeakageL2, Owner::Leakage, each_cycle(Coefficient::LeakageL2, 1));
  add(shape_.cycles, Place::LeakagePes, Owner::Leakage, each_cycle(LeakagePe, hardware_.pes));
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
    result.places[term.place] += energy;
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
