// SPDX-License-Identifier: Apache-2.0
#include "energy/breakdown.h"

namespace psim::energy {

namespace {
constexpr std::size_t kFirstStructure = static_cast<std::size_t>(Place::InstructionCache);
constexpr std::string_view kPlaceNames[] = {"PE B",
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
static_assert(std::size(kPlaceNames) == kPlaces - pipeline::kStages);
constexpr std::string_view kOwnerNames[] = {"flushed",   "fetch",        "memory",
                                            "transfers", "idle_latches", "leakage"};
static_assert(std::size(kOwnerNames) == kOwners - isa::kLatencyClasses);
}  // namespace

PlaceGroup group_of(Place place) {
  if (static_cast<std::size_t>(place) < kFirstStructure) return PlaceGroup::Stages;
  if (place < Place::IntegerUnits) return PlaceGroup::Structures;
  return place < Place::LeakageCore ? PlaceGroup::Execution : PlaceGroup::Leakage;
}

std::string_view name(Place place) {
  const auto at = static_cast<std::size_t>(place);
  return at < pipeline::kStages ? pipeline::kStageNames[at] : kPlaceNames[at - pipeline::kStages];
}

std::string_view name(PlaceGroup group) {
  constexpr std::string_view kNames[kPlaceGroups] = {"stages", "structures", "execution", "leakage"};
  return kNames[static_cast<std::size_t>(group)];
}

Breakdown& Breakdown::operator+=(const Breakdown& other) {
  total += other.total;
  for (std::size_t i = 0; i < kPlaces; ++i) places[i] += other.places[i];
  for (std::size_t i = 0; i < kOwners; ++i) owners[i] += other.owners[i];
  return *this;
}

std::string_view name(Owner owner) {
  const auto at = static_cast<std::size_t>(owner);
  return at < isa::kLatencyClasses ? isa::name(static_cast<isa::LatencyClass>(at))
                                   : kOwnerNames[at - isa::kLatencyClasses];
}

}  // namespace psim::energy
