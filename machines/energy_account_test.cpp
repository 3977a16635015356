// SPDX-License-Identifier: Apache-2.0
// Energy of a whole simulation: regions and the rest sum to the total, and listening changes nothing.
#include "energy/energy_account.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "machines/machine.h"
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

/// A program with loads over 256 KB, multiply-adds, and a region "inner" of its middle third; `begins` and
/// `ends` are the positions of the markers.
struct Guest {
  explicit Guest(bool simd) {
    for (int third = 0; third < 3; ++third) {
      if (third == 1) mark(true);
      for (std::uint64_t i = 0; i < 4000; ++i) {
        program.load(d(2), 1, 0x800000 + (i * 328) % 0x40000 / 8 * 8);
        program.op(Unit::Fp, LatencyClass::FpMultiplyAdd, {d(2), d(4), d(6)}, {d(6)});
        program.add(1, 1, 3);
        program.store(r(2), 1, 0x700000 + i % 512 * 8);
        if (simd && i % 2) add_simd(i);
      }
      if (third == 1) mark(false);
    }
  }
  /// Adds code for the PEs: loads and stores of SBM, broadcasts, multiply-adds, also across a pair, sums,
  /// block transfers.
  void add_simd(std::uint64_t i) {
    using pipeline::testing::pe;
    program.in_simd_state(program.load(pe(2), 1, 0xF000'0000 + i % 4096 * 8), true);
    program.in_simd_state(program.load(pe(4), 1, 0x700000 + i % 512 * 8), false);
    const std::size_t fma =
        program.simd(LatencyClass::FpMultiplyAdd, {pe(2), pe(4), pe(6)}, {pe(6 + i % 8 * 2)});
    if (i % 3 == 0) program.make_cross(fma, 1);
    program.in_simd_state(program.store(pe(6), 1, 0xF000'8000 + i % 4096 * 8), true);
    if (i % 5 == 0) program.simd(LatencyClass::PeSum, {pe(6)}, {d(8)});
    if (i % 1001 == 0) {
      program.transfer({false, 1, 0xFFFF, 0x900000, 64, 64, 0, 64, 64, 4}, 0x700000);
      program.sync(2);
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
  explicit Outcome(const Machine& machine) : model(machine.energy, energy_hardware(machine)) {}
  std::uint64_t cycles = 0;
  Json body;
  std::vector<pipeline::MeasuredRegion> regions;
  pipeline::Activity whole;
  energy::Model model;
};

Outcome simulate(bool measured, bool simd) {
  const auto machine = load_machine({.machine = simd ? "simd16" : "sparc64v", .sets = {}});
  Guest guest(simd);
  pipeline::WiredCore simulation(*machine, guest.program,
                                 {.skip_idle = true, .interval = measured ? 1000U : 0U});
  pipeline::RegionAccount regions([&guest] { return guest.next(); });
  simulation.core.set_region_listener(&regions);
  std::optional<EnergyAccount> account;
  if (measured) account.emplace(*machine, machine->energy, "", simulation, regions);
  simulation.run();
  Outcome outcome(*machine);
  outcome.cycles = simulation.core.totals().cycles;
  outcome.regions = regions.regions();
  outcome.whole = simulation.activity();
  outcome.body["regions"] = Json::array({Json::object()});
  if (account) account->fill_in(outcome.body, regions.regions());
  return outcome;
}

/// Runs a scalar program, and one that uses the PEs.
class EnergyOfARun : public pipeline::testing::SystemCTest, public ::testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(EnergyAccount, EnergyOfARun, ::testing::Bool());

TEST_P(EnergyOfARun, ComponentsAndOwnersEachSumToTheTotalExactly) {
  const Outcome run = simulate(true, GetParam());
  const energy::Breakdown energy = run.model.energy_of(run.whole);
  const auto sum = [](const auto& parts) {
    return std::accumulate(parts.begin(), parts.end(), energy::Femtojoules{0});
  };
  EXPECT_EQ(sum(energy.components), energy.total);
  EXPECT_EQ(sum(energy.owners), energy.total);
  for (const energy::Component component :
       {energy::Component::PeX, energy::Component::Sbm, energy::Component::PeLinks,
        energy::Component::TransferEngine, energy::Component::LeakagePes})
    EXPECT_EQ(energy[component] > 0, GetParam()) << name(component);
}

TEST_P(EnergyOfARun, RegionAndOutsideSumToTheTotalExactly) {
  const Outcome run = simulate(true, GetParam());
  const energy::Model& model = run.model;
  ASSERT_EQ(run.regions.size(), 1U);
  const pipeline::Activity inside = run.regions[0].activity.unpack();
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

TEST_P(EnergyOfARun, EachDivisionOfTheResultSumsToItsTotal) {
  const Json energy = simulate(true, GetParam()).body["energy"];
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

TEST_P(EnergyOfARun, MeasuringItChangesNoCycle) {
  const std::uint64_t without = simulate(false, GetParam()).cycles;
  renew_context();
  EXPECT_EQ(simulate(true, GetParam()).cycles, without);
}

}  // namespace
}  // namespace psim
