// SPDX-License-Identifier: Apache-2.0
#include "energy/model.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>

namespace psim::energy {
namespace {

using enum Coefficient;
using isa::LatencyClass;
using pipeline::Activity;
using pipeline::Stage;

/// Returns arbitrary counts, none of them zero.
Activity some_activity(unsigned seed) {
  std::mt19937_64 random(seed);
  std::array<std::uint64_t, sizeof(Activity) / sizeof(std::uint64_t)> counts;
  for (std::uint64_t& count : counts) count = 1 + random() % 1'000'000;
  return std::bit_cast<Activity>(counts);
}

template <class Parts>
Femtojoules sum(const Parts& parts) {
  return std::accumulate(parts.begin(), parts.end(), Femtojoules{0});
}

class EachGating : public ::testing::TestWithParam<Gating> {};
INSTANTIATE_TEST_SUITE_P(Model, EachGating, ::testing::Values(Gating::None, Gating::Stage, Gating::Ideal));

TEST_P(EachGating, ComponentsAndOwnersEachSumToTheTotalExactly) {
  const Model model({.gating = GetParam(), .coefficients = {}}, {.core = {}, .pes = 16});
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Breakdown energy = model.energy_of(some_activity(seed));
    EXPECT_NE(energy.total, 0);
    EXPECT_EQ(sum(energy.components), energy.total);
    EXPECT_EQ(sum(energy.owners), energy.total);
  }
}

TEST_P(EachGating, EnergyOfASumIsTheSumOfEnergies) {
  const Model model({.gating = GetParam(), .coefficients = {}}, {.core = {}, .pes = 16});
  const Activity a = some_activity(1), b = some_activity(2);
  Activity both = a;
  both += b;
  Breakdown parts = model.energy_of(a);
  parts += model.energy_of(b);
  EXPECT_EQ(parts.total, model.total_of(both));
  EXPECT_EQ(parts.components, model.energy_of(both).components);
  EXPECT_EQ(parts.owners, model.energy_of(both).owners);
}

// A thousand adds of 1 mJ each, in 10^6 bits of 1 mJ per latch, are 10^9 J and more in each stage.
TEST_P(EachGating, CoefficientsAtTheirLimitsAreSummedExactly) {
  Config config{.gating = GetParam(), .coefficients = {}};  // limits: energy/config.cpp
  for (const CoefficientRow& row : coefficient_table())
    config.coefficients[row.id] = row.dimension == Dimension::Count    ? 1'000'000
                                  : row.dimension == Dimension::Energy ? 1'000'000'000'000
                                                                       : 1'000'000'000;
  const Model model(config, {.core = {}, .pes = 16});
  const Breakdown energy = model.energy_of(some_activity(3));
  EXPECT_GT(joules(energy.total), 1e9);
  EXPECT_EQ(sum(energy.components), energy.total);
  EXPECT_EQ(sum(energy.owners), energy.total);
  for (const Femtojoules component : energy.components) EXPECT_GE(component, 0);
}

// 1000 cycles at 2 GHz are 500 ns: 6 W × 500 ns = 3 uJ, 2 W × 500 ns = 1 uJ.
TEST(Model, LeakageIsPowerTimesTime) {
  const Model model({}, {});
  Activity idle;
  idle.cycles = 1000;
  const Breakdown energy = model.energy_of(idle);
  EXPECT_EQ(energy[Component::LeakageCore], 3'000'000'000);
  EXPECT_EQ(energy[Component::LeakageL2], 1'000'000'000);
  EXPECT_EQ(energy[Owner::Leakage], energy.total);
}

TEST(Model, PesLeakOneAndAHalfTimesTheScalarCore) {
  const Model model({}, {.core = {}, .pes = 16});
  Activity idle;
  idle.cycles = 1000;
  const Breakdown energy = model.energy_of(idle);
  EXPECT_EQ(2 * energy[Component::LeakagePes], 3 * energy[Component::LeakageCore]);
}

// An FMA of 6 cycles: six moves in X of bits.x_fp latches.
TEST(Model, AStageCostsItsLatchesForEachMove) {
  Config config;
  config.coefficients[LatchCore] = 70;
  config.coefficients[BitsXFp] = 400;
  const Model model(config, {});
  Activity activity;
  auto& work = activity.committed[static_cast<std::size_t>(LatencyClass::FpMultiplyAdd)];
  work.moves[static_cast<std::size_t>(Stage::X)] = 6;
  const Breakdown energy = model.energy_of(activity);
  EXPECT_EQ(energy[component_of(Stage::X)], 6 * 400 * 70);
  EXPECT_EQ(energy[owner_of(LatencyClass::FpMultiplyAdd)], 6 * 400 * 70);
  EXPECT_EQ(energy.total, 6 * 400 * 70);
}

TEST(Model, WorkOfFlushedInstructionsIsTheirOwnersApart) {
  const Model model({}, {});
  Activity activity;
  activity.flushed[static_cast<std::size_t>(LatencyClass::Load)].moves[static_cast<std::size_t>(Stage::D)] =
      3;
  const Breakdown energy = model.energy_of(activity);
  EXPECT_GT(energy.total, 0);
  EXPECT_EQ(energy[Owner::Flushed], energy.total);
}

// IB has 8 slots: gated by stage, all are clocked when one instruction comes; ungated, in every cycle.
TEST(Model, WorseGatingClocksLatchesIntoWhichNothingMoves) {
  Activity activity;
  activity.cycles = 10;
  activity.fetch_groups = 2;
  activity.committed[static_cast<std::size_t>(LatencyClass::IntSimple)]
      .moves[static_cast<std::size_t>(Stage::IB)] = 9;
  Config config;
  const auto in_ib = [&](Gating gating) {
    config.gating = gating;
    return Model(config, {}).energy_of(activity)[component_of(Stage::IB)];
  };
  const auto each = static_cast<Femtojoules>(config.coefficients[BitsIb] * config.coefficients[LatchCore]);
  EXPECT_EQ(in_ib(Gating::Ideal), 9 * each);
  EXPECT_EQ(in_ib(Gating::Stage), 2 * 8 * each);
  EXPECT_EQ(in_ib(Gating::None), 10 * 8 * each);
}

// A stage of three cycles has three times the latches; an instruction moves through each of them, which the
// core counts.
TEST(Model, ADeeperStageHasMoreLatchesToClock) {
  Activity activity;
  activity.cycles = 10;
  activity.fetch_groups = 2;
  Config config;
  Hardware hardware;
  hardware.core.stages.ib = 3;
  const auto in_ib = [&](Gating gating) {
    config.gating = gating;
    return Model(config, hardware).energy_of(activity)[component_of(Stage::IB)];
  };
  const auto each = static_cast<Femtojoules>(config.coefficients[BitsIb] * config.coefficients[LatchCore]);
  EXPECT_EQ(in_ib(Gating::Ideal), 0);
  EXPECT_EQ(in_ib(Gating::Stage), 2 * 8 * 3 * each);
  EXPECT_EQ(in_ib(Gating::None), 10 * 8 * 3 * each);
}

// Prefetches of instructions: IA, IT, IM, a search of the history, tags and TLB. Of data: tags and TLB; the
// lines that come are fills like any other.
TEST(Model, PrefetchesOfTheHardwareCostTheirLookups) {
  const Model model({}, {});
  const Coefficients c;
  Activity activity;
  activity.prefetch_steps = 3;
  activity.instruction_cache.prefetches = 2;
  activity.data_cache.prefetches = 5;
  const Breakdown energy = model.energy_of(activity);
  const auto cost = [&c](Coefficient coefficient) { return static_cast<Femtojoules>(c[coefficient]); };
  EXPECT_EQ(energy[Owner::Fetch],
            3 * ((cost(BitsIa) + cost(BitsIt) + cost(BitsIm)) * cost(LatchCore) + cost(HistorySearch)) +
                2 * (cost(PrefetchLookup) + cost(TlbLookup)));
  EXPECT_EQ(energy[Component::DataCache], 5 * cost(PrefetchLookup));
  EXPECT_EQ(energy[Component::DataTlb], 5 * cost(TlbLookup));
}

TEST(Model, GatingMovesLatchEnergyOnlyAndKeepsTheCostOfClasses) {
  const Activity activity = some_activity(5);
  const Breakdown ideal = Model({}, {}).energy_of(activity);
  const Breakdown none = Model({.gating = Gating::None, .coefficients = {}}, {}).energy_of(activity);
  for (std::size_t c = 0; c < isa::kLatencyClasses; ++c) EXPECT_EQ(ideal.owners[c], none.owners[c]);
  EXPECT_EQ(ideal[Component::DataCache], none[Component::DataCache]);
  EXPECT_EQ(ideal[Owner::IdleLatches], 0);
  EXPECT_EQ(none.total - ideal.total, none[Owner::IdleLatches]);
}

TEST(Model, EveryClassOfOperationCostsSomething) {
  const Model model({}, {});
  for (std::size_t c = 0; c < isa::kLatencyClasses; ++c) {
    const auto latency = static_cast<LatencyClass>(c);
    pipeline::InstructionActivity work;
    work.operations = 1;
    EXPECT_EQ(model.energy_of(latency, work) > 0, latency != LatencyClass::None) << isa::name(latency);
  }
}

// An FMA: IB IR E D P B, six cycles of X, U W, three operands, one result.
TEST(Model, EnergyOfATimelineIsThatOfItsStages) {
  isa::StaticInstruction fma;
  fma.unit = isa::Unit::Fp;
  fma.latency = LatencyClass::FpMultiplyAdd;
  fma.sources = 3, fma.destinations = 1;
  for (std::uint8_t i = 0; i < 3; ++i) fma.source[i] = {static_cast<std::uint8_t>(isa::reg::kFp + 2 * i), 2};
  fma.destination[0] = {isa::reg::kFp + 8, 2};
  using enum Stage;
  const std::vector<pipeline::StageEvent> stages{{0, IA}, {1, IT}, {2, IM}, {3, IB}, {4, IR}, {5, E},
                                                 {6, D},  {7, P},  {8, B},  {9, X},  {15, U}, {16, W}};
  const pipeline::InstructionTimeline timeline{0, 0, 0, 0, &fma, stages, {}, {}, 17, false};
  const Coefficients c;
  const std::uint64_t latches = c[BitsIb] + c[BitsIr] + c[BitsE] + c[BitsD] + c[BitsP] + c[BitsBFp] +
                                6 * c[BitsXFp] + c[BitsU] + c[BitsW] + c[EntryBuffer] + c[EntryCommit] +
                                c[EntryStation];
  const std::uint64_t accesses = 4 * c[MapLookup] + c[MapUpdate] + c[Select] + 52 * c[WakeUpEntry] +
                                 3 * (c[FprRead] + c[FubRead]) + c[FubWrite] + c[FubRead] + c[FprWrite];
  EXPECT_EQ(Model({}, {}).energy_of(timeline),
            static_cast<Femtojoules>(latches * c[LatchCore] + accesses + c[ExecuteFpMultiplyAdd]));
}

// The same FMA in 16 PEs, across pairs in one direction: C and W1 to and from each; in each, B, X, U, three
// operands, one result; eight take an operand from the other.
TEST(Model, EnergyOfATimelineInThePesIsThatOfThePesThatTakePart) {
  isa::StaticInstruction fma;
  fma.unit = isa::Unit::Simd;
  fma.simd = true;
  fma.crosses = 1;
  fma.latency = LatencyClass::FpMultiplyAdd;
  fma.sources = 3, fma.destinations = 1;
  for (std::uint8_t i = 0; i < 3; ++i)
    fma.source[i] = {static_cast<std::uint8_t>(isa::reg::kSimdFp + 2 * i), 2};
  fma.destination[0] = {isa::reg::kSimdFp + 8, 2};
  using enum Stage;
  const std::vector<pipeline::StageEvent> stages{{0, IA}, {1, IT}, {2, IM},  {3, IB}, {4, IR},
                                                 {5, E},  {6, D},  {7, P},   {8, B},  {9, C},
                                                 {10, X}, {16, U}, {17, W1}, {18, W}};
  const pipeline::InstructionTimeline timeline{0, 0, 0, 0, &fma, stages, {}, {}, 19, false, 16, false};
  const Coefficients c;
  const std::uint64_t latches = c[BitsIb] + c[BitsIr] + c[BitsE] + c[BitsD] + c[BitsP] + c[BitsBFp] +
                                c[BitsU] + c[BitsW] + c[EntryBuffer] + c[EntryCommit] + c[EntrySimdStation] +
                                16 * (c[BitsC] + c[BitsW1]);
  const std::uint64_t in_pes = 16 * (c[BitsPeB] + 6 * c[BitsPeX] + c[BitsPeU]);
  const std::uint64_t accesses = 4 * c[MapLookup] + c[MapUpdate] + c[Select] + 52 * c[WakeUpEntry] +
                                 16 * (3 * c[SfprRead] + c[SfprWrite]) + 8 * c[CrossOperand];
  EXPECT_EQ(Model({}, {.core = {}, .pes = 16}).energy_of(timeline),
            static_cast<Femtojoules>(latches * c[LatchCore] + in_pes * c[LatchPe] + accesses +
                                     16 * c[ExecuteFpMultiplyAdd]));
}

}  // namespace
}  // namespace psim::energy
