// SPDX-License-Identifier: Apache-2.0
#include "energy/sensitivity.h"

#include <gtest/gtest.h>

#include <bit>

namespace psim::energy {
namespace {

using enum Coefficient;
using isa::LatencyClass;

pipeline::Activity some_adds() {
  pipeline::Activity activity;
  activity.cycles = 100;
  auto& work = activity.committed[static_cast<std::size_t>(LatencyClass::IntSimple)];
  work.moves[static_cast<std::size_t>(pipeline::Stage::D)] = 30;
  work.operations = 20;
  return activity;
}

Femtojoules part(const std::array<Femtojoules, kCoefficients>& parts, Coefficient c) {
  return parts[static_cast<std::size_t>(c)];
}

TEST(Sensitivity, IsTheContributionOfACoefficient) {
  const Config config;
  const Coefficients& c = config.coefficients;
  const auto parts = proportional_energy(config, {}, some_adds());
  EXPECT_EQ(part(parts, ExecuteIntSimple), static_cast<Femtojoules>(20 * c[ExecuteIntSimple]));
  EXPECT_EQ(part(parts, BitsD), static_cast<Femtojoules>(30 * c[BitsD] * c[LatchCore]));
  EXPECT_EQ(part(parts, BitsIb), 0);
  // 6 W for 50 ns
  EXPECT_EQ(part(parts, Coefficient::LeakageCore), 300'000'000);
}

TEST(Sensitivity, OfWidthsTogetherIsThatOfTheLatchTheyAreMadeOf) {
  const auto parts = proportional_energy({}, {}, some_adds());
  EXPECT_EQ(part(parts, LatchCore), part(parts, BitsD) + part(parts, EntryCommit));
}

TEST(Sensitivity, PredictsTheTotalOfAnotherValueExactly) {
  Config config;
  const auto parts = proportional_energy(config, {}, some_adds());
  const Femtojoules before = Model(config, {}).total_of(some_adds());
  config.coefficients[BitsD] *= 5;
  EXPECT_EQ(Model(config, {}).total_of(some_adds()), before + 4 * part(parts, BitsD));
}

// A coefficient without any count would have no effect.
TEST(Sensitivity, EveryCoefficientOfTheTableIsUsed) {
  std::array<std::uint64_t, sizeof(pipeline::Activity) / sizeof(std::uint64_t)> counts;
  counts.fill(1'000);
  const auto activity = std::bit_cast<pipeline::Activity>(counts);
  for (const Gating gating : {Gating::None, Gating::Stage, Gating::Ideal}) {
    const EnergyParts parts =
        proportional_energy({.gating = gating, .coefficients = {}}, {.core = {}, .pes = 16}, activity);
    for (const CoefficientRow& row : coefficient_table()) EXPECT_GT(part(parts, row.id), 0) << row.key;
  }
}

TEST(Sensitivity, OfSeveralActivitiesIsThatOfEach) {
  pipeline::Activity more = some_adds();
  more.cycles = 1'000, more.fetch_blocks = 7;
  const pipeline::Activity both[] = {some_adds(), more};
  const std::vector<EnergyParts> parts = proportional_energies({}, {}, both);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0], proportional_energy({}, {}, both[0]));
  EXPECT_EQ(parts[1], proportional_energy({}, {}, both[1]));
}

}  // namespace
}  // namespace psim::energy
