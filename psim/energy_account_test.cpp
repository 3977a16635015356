// SPDX-License-Identifier: Apache-2.0
// Energy of a whole simulation: regions and what lies outside sum to the total, and listening changes
// nothing.
#include "psim/energy_account.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "pipeline/testing/program.h"
#include "pipeline/testing/systemc_test.h"

namespace psim {
namespace {

using isa::LatencyClass;
using isa::Unit;
using pipeline::testing::d;
using pipeline::testing::Program;
using pipeline::testing::r;
using Json = nlohmann::ordered_json;

/// Loads over 256 KB, multiply-adds, and a region "inner" of its middle third; `begins` and `ends` are the
/// places of the markers.
struct Guest {
  Guest() {
    for (int third = 0; third < 3; ++third) {
      if (third == 1) mark(true);
      for (std::uint64_t i = 0; i < 4000; ++i) {
        program.load(d(2), 1, 0x800000 + (i * 328) % 0x40000 / 8 * 8);
        program.op(Unit::Fp, LatencyClass::FpMultiplyAdd, {d(2), d(4), d(6)}, {d(6)});
        program.add(1, 1, 3);
        program.store(r(2), 1, 0x700000 + i % 512 * 8);
      }
      if (third == 1) mark(false);
    }
  }
  void mark(bool begin) {
    program.record(program.nop()).region_marker = true;
    marks.push_back({"inner", {}, begin});
  }
  isa::RegionMarker next() { return marks.at(at++); }

  Program program;
  std::vector<isa::RegionMarker> marks;
  std::size_t at = 0;
};

struct Outcome {
  std::uint64_t cycles = 0;
  Json body;
  std::vector<MeasuredRegion> regions;
  pipeline::Activity whole;
};

Outcome simulate(bool measured) {
  const auto machine = load_machine({.machine = "sparc64v", .sets = {}, .json = {}, .report = {}});
  Guest guest;
  Simulation simulation(*machine, guest.program, {.skip_idle = true, .interval = measured ? 1000U : 0U});
  RegionAccount regions([&guest] { return guest.next(); });
  simulation.core.set_region_listener(&regions);
  std::optional<EnergyAccount> account;
  if (measured) account.emplace(*machine, simulation, regions);
  simulation.run();
  Outcome outcome;
  outcome.cycles = simulation.core.totals().cycles;
  outcome.regions = regions.regions();
  outcome.whole = simulation.activity();
  outcome.body["regions"] = Json::array({Json::object()});
  if (account) account->fill_in(outcome.body, regions.regions());
  return outcome;
}

class EnergyOfARun : public pipeline::testing::SystemCTest {};

TEST_F(EnergyOfARun, RegionAndOutsideSumToTheTotalExactly) {
  const Outcome run = simulate(true);
  const Machine machine;
  const energy::Model model(machine.energy, energy_hardware(machine));
  ASSERT_EQ(run.regions.size(), 1U);
  const pipeline::Activity& inside = run.regions[0].activity;
  pipeline::Activity outside = run.whole;
  outside -= inside;
  EXPECT_GT(model.total_of(inside), 0);
  EXPECT_GT(model.total_of(outside), model.total_of(inside));
  EXPECT_EQ(model.total_of(inside) + model.total_of(outside), model.total_of(run.whole));
  EXPECT_EQ(inside.cycles, run.regions[0].totals.cycles);
  EXPECT_EQ(run.body["regions"][0]["energy_joules"].get<double>(), energy::joules(model.total_of(inside)));
  EXPECT_EQ(run.body["regions"][0]["energy"]["total_joules"], run.body["regions"][0]["energy_joules"]);
  double classes = 0;
  for (const Json& joules : run.body["regions"][0]["energy"]["classes"]) classes += joules.get<double>();
  EXPECT_NEAR(classes, run.body["regions"][0]["energy_joules"].get<double>(), 1e-12 * classes);
  EXPECT_EQ(run.body["energy"]["total_joules"].get<double>(), energy::joules(model.total_of(run.whole)));
}

TEST_F(EnergyOfARun, EachDivisionOfTheResultSumsToItsTotal) {
  const Json energy = simulate(true).body["energy"];
  const double total = energy["total_joules"].get<double>();
  const auto sum = [](const Json& values) {
    double all = 0;
    for (const Json& value : values) all += value.get<double>();
    return all;
  };
  EXPECT_NEAR(
      sum(energy["stages"]) + sum(energy["structures"]) + sum(energy["execution"]) + sum(energy["leakage"]),
      total, 1e-12 * total);
  EXPECT_NEAR(sum(energy["classes"]), total, 1e-12 * total);
  EXPECT_NEAR(sum(energy["over_time"]["joules"]), total, 1e-12 * total);
  EXPECT_GT(energy["over_time"]["joules"].size(), 5U);
  for (const auto& [stage, series] : energy["over_time"]["by_stage"].items())
    EXPECT_NEAR(sum(series), energy["stages"][stage].get<double>(), 1e-12 * total) << stage;
}

TEST_F(EnergyOfARun, MeasuringItChangesNoCycle) {
  const std::uint64_t without = simulate(false).cycles;
  renew_context();
  EXPECT_EQ(simulate(true).cycles, without);
}

}  // namespace
}  // namespace psim
