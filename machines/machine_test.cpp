// SPDX-License-Identifier: Apache-2.0
#include "machines/machine.h"
#include "machines/network_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/config/machine_files.h"
#include "base/config/print.h"
#include "machines/machine_kind.h"

namespace psim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(Machine, EveryShippedMachineIsGood) {
  EXPECT_THAT(machine_names(), ::testing::Contains("sparc64v"));
  for (const std::string& name : machine_names())
    EXPECT_NO_THROW(is_network({.machine = name, .sets = {}})
                        ? void(load_network({.machine = name, .sets = {}}))
                        : void(load_machine({.machine = name, .sets = {}})))
        << name;
}

TEST(Machine, EveryShippedMachineHasAKindAndADescription) {
  const std::vector<ShippedMachine> machines = shipped_machines();
  ASSERT_EQ(machines.size(), machine_names().size());
  for (const ShippedMachine& machine : machines) {
    EXPECT_NE(machine.kind, MachineKind::Unclear) << machine.name;
    EXPECT_FALSE(machine.description.empty()) << machine.name;
    EXPECT_EQ(machine.is_base, machine.name == "energy") << machine.name;
    const bool core = machine.name == "energy" || machine.name.starts_with("simd") ||
                      machine.name.starts_with("sparc") || machine.name == "psi-chip";
    EXPECT_EQ(machine.kind, core ? MachineKind::Core : MachineKind::Network) << machine.name;
  }
}

TEST(Machine, AMachineOfTheOtherKindIsNamedInOneLine) {
  EXPECT_THAT([] { load_machine({.machine = "torus3d", .sets = {}}); },
              ThrowsMessage<UserError>(
                  ::testing::StrEq("machine torus3d: is a network, for psim net; expected a core such as "
                                   "psi-chip, simd16, simd32, sparc64v")));
  EXPECT_THAT([] { load_network({.machine = "simd16", .sets = {}}); },
              ThrowsMessage<UserError>(::testing::StartsWith(
                  "machine simd16: is a core, for psim run; expected a network such as bluegene_l, ")));
}

TEST(Machine, TheDefaultsPassTheirOwnLimitsAndReadBack) {
  const Machine machine;
  Machine copy;
  Problems problems;
  copy.schema.apply(read_toml(config_toml(machine.schema), "defaults", problems), problems);
  EXPECT_THAT(problems.lines(), IsEmpty());
  EXPECT_EQ(config_json(copy.schema), config_json(machine.schema));
}

TEST(Machine, Sparc64vIsTableOneOfThePaper) {
  const auto machine = load_machine({.machine = "sparc64v", .sets = {}});
  EXPECT_EQ(machine->core.window.decode_width, 4u);
  EXPECT_EQ(machine->core.window.commit_stack, 64u);
  EXPECT_EQ(machine->core.stations.integer, 8u);
  EXPECT_EQ(machine->core.stations.fp, 8u);
  EXPECT_EQ(machine->l1i.bytes, 131072u);
  EXPECT_EQ(machine->l1i.ways, 2u);
  EXPECT_EQ(machine->l1d.bytes, 131072u);
  EXPECT_EQ(machine->l1d.ways, 2u);
  EXPECT_EQ(machine->l2.bytes, 6u * 1024 * 1024);
  EXPECT_EQ(machine->l2.ways, 12u);
  EXPECT_EQ(machine->memory.latency, 120u);
  EXPECT_EQ(machine->core.clock_hz, 2e9);
}

TEST(Machine, ZeroAndAbsurdWidthsAreRefusedByName) {
  for (const char* setting :
       {"core.fetch.width=0", "core.window.decode_width=0", "core.window.commit_stack=99999999",
        "core.stations.fp=-1", "l1d.ways=0", "l2.bytes=7 KB", "memory.latency=0 cycles", "core.clock=0 Hz",
        "core.pipes.fp=5", "l1d.line_bytes=32 B", "core.branch.history_entries=10"}) {
    const std::string key(setting, std::string_view(setting).find('='));
    EXPECT_THAT([&] { load_machine({.machine = "", .sets = {setting}}); },
                ThrowsMessage<UserError>(HasSubstr(key)))
        << setting;
  }
}

TEST(Machine, NumbersOfPipesAndStationsEqualTableOneAndCanBeSet) {
  EXPECT_EQ(load_machine({.machine = "sparc64v", .sets = {}})->core.pipes.fp, 2u);
  const auto machine = load_machine({
      .machine = "",
      .sets = {"core.pipes.integer=3", "core.pipes.fp=4", "core.pipes.address=1"},
  });
  EXPECT_EQ(machine->core.pipes.integer, 3u);
  EXPECT_EQ(machine->core.pipes.fp, 4u);
  EXPECT_EQ(machine->core.pipes.address, 1u);
}

// The file gives every coefficient with its source, and the same values as a machine without a base.
TEST(Machine, EnergyFileIsTheDefaultsWithTheirSources) {
  const auto machine = load_machine({.machine = "energy", .sets = {}});
  const Machine defaults;
  for (const Field& field : machine->schema.fields()) {
    if (!field.key.starts_with("energy.")) continue;
    EXPECT_TRUE(field.stated) << field.key << " is not in machines/energy.toml";
    EXPECT_EQ(field.text(), field.default_text) << field.key;
    EXPECT_EQ(field.source, defaults.schema.find(field.key)->source) << field.key;
  }
}

TEST(Machine, WatchdogMustOutlastAFullWindowButNoMemory) {
  const auto load = [](std::vector<std::string> sets) {
    return load_machine({.machine = "", .sets = std::move(sets)});
  };
  EXPECT_NO_THROW(load({"core.watchdog=2000 cycles", "memory.latency=1000000 cycles"}));
  EXPECT_NO_THROW(load({"core.window.commit_stack=4096", "core.load_store.store_ports=1024",
                        "core.load_store.write_buffer=1024", "core.fetch.instruction_buffer=1024"}));
  EXPECT_THAT(
      [&] {
        load({"core.watchdog=2000 cycles", "core.window.commit_stack=1000"});
      },
      ThrowsMessage<UserError>(HasSubstr("core.watchdog")));
}

TEST(Machine, MissRegistersMustHoldAllLinesOfAFetchBlock) {
  const auto load = [](std::vector<std::string> sets) {
    return load_machine({.machine = "", .sets = std::move(sets)});
  };
  EXPECT_NO_THROW(load({"core.fetch.width=64", "core.fetch.instruction_buffer=64", "l1i.miss_registers=4"}));
  EXPECT_THAT(
      [&] {
        load({"core.fetch.width=64", "core.fetch.instruction_buffer=64", "l1i.miss_registers=3"});
      },
      ThrowsMessage<UserError>(HasSubstr("core.fetch.width = 64, l1i.miss_registers = 3")));
}

TEST(Machine, TheManualOfAllKeysIsCurrent) {
  // Renewed by: psim config explain --markdown > docs/configuration.md
  std::ifstream file(PSIM_SOURCE_DIR "/docs/configuration.md");
  const std::string committed((std::istreambuf_iterator<char>(file)), {});
  const Machine machine;
  EXPECT_THAT(committed, HasSubstr(config_manual(machine.schema)));
}

TEST(NetworkMachine, TheManualOfAllKeysIsCurrent) {
  // Renewed by: psim config explain --network --markdown > docs/network-configuration.md
  std::ifstream file(PSIM_SOURCE_DIR "/docs/network-configuration.md");
  const std::string committed((std::istreambuf_iterator<char>(file)), {});
  const NetworkMachine machine;
  EXPECT_THAT(committed, HasSubstr(config_manual(machine.schema)));
}

}  // namespace
}  // namespace psim
