// SPDX-License-Identifier: Apache-2.0
#include "energy/breakdown.h"

namespace psim::energy {

namespace {
constexpr std::size_t kFirstStructure = static_cast<std::size_t>(Component::InstructionCache);
constexpr std::string_view kComponentNames[] = {"PE B",
                                                "PE X",
                                                "PE U",
                                                "instruction_cache",
                                                "instruction_tlb",
                                                "branch_history",
                                                "return_stack",
                                                "instruction_buffer",
                                                "rename_map",
                                                "stations",
                                                "wake_up",
                                                "commit_stack",
                                                "fetch_ports",
                                                "store_queue",
                                                "gpr",
                                                "gub",
                                                "fpr",
                                                "fub",
                                                "data_cache",
                                                "data_tlb",
                                                "l2",
                                                "memory_interface",
                                                "simd_station",
                                                "sfpr",
                                                "sbm",
                                                "pe_links",
                                                "transfer_engine",
                                                "integer",
                                                "fp",
                                                "address",
                                                "branch",
                                                "pe",
                                                "core",
                                                "l2",
                                                "pes"};
static_assert(std::size(kComponentNames) == kComponents - pipeline::kStages);
constexpr std::string_view kOwnerNames[] = {"flushed",   "fetch",        "memory",
                                            "transfers", "idle_latches", "leakage"};
static_assert(std::size(kOwnerNames) == kOwners - isa::kLatencyClasses);
}  // namespace

ComponentGroup group_of(Component component) {
  if (static_cast<std::size_t>(component) < kFirstStructure) return ComponentGroup::Stages;
  if (component < Component::IntegerUnits) return ComponentGroup::Structures;
  return component < Component::LeakageCore ? ComponentGroup::Execution : ComponentGroup::Leakage;
}

std::string_view name(Component component) {
  const auto at = static_cast<std::size_t>(component);
  return at < pipeline::kStages ? pipeline::kStageNames[at] : kComponentNames[at - pipeline::kStages];
}

std::string_view name(ComponentGroup group) {
  constexpr std::string_view kNames[kComponentGroups] = {"stages", "structures", "execution", "leakage"};
  return kNames[static_cast<std::size_t>(group)];
}

Breakdown& Breakdown::operator+=(const Breakdown& other) {
  total += other.total;
  for (std::size_t i = 0; i < kComponents; ++i) components[i] += other.components[i];
  for (std::size_t i = 0; i < kOwners; ++i) owners[i] += other.owners[i];
  return *this;
}

Breakdown& Breakdown::operator-=(const Breakdown& other) {
  total -= other.total;
  for (std::size_t i = 0; i < kComponents; ++i) components[i] -= other.components[i];
  for (std::size_t i = 0; i < kOwners; ++i) owners[i] -= other.owners[i];
  return *this;
}

std::string_view name(Owner owner) {
  const auto at = static_cast<std::size_t>(owner);
  return at < isa::kLatencyClasses ? isa::name(static_cast<isa::LatencyClass>(at))
                                   : kOwnerNames[at - isa::kLatencyClasses];
}

}  // namespace psim::energy
