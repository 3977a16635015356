// SPDX-License-Identifier: Apache-2.0
// Energy by component and by owner, in whole femtojoules. Both divide the same total: the components sum to
// it exactly, and so do the owners.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pipeline/activity.h"

namespace psim::energy {

/// Signed, so that differences of slices stay exact. 2^63 fJ is 40 W for 230 s of simulated time.
/// 128 bits: 64 end at 9.2 kJ, which coefficients at their limits reach within a few events.
using Femtojoules = __int128;
inline double joules(Femtojoules energy) { return static_cast<double>(energy) * 1e-15; }

/// The components with energy, in addition to the latches of the stages; the names are keys of a result.
enum class Component : std::uint8_t {
  // latches of the PEs
  PeB = pipeline::kStages,
  PeX,
  PeU,
  // structures
  InstructionCache,
  InstructionTlb,
  BranchHistory,
  ReturnStack,
  InstructionBuffer,
  RenameMap,
  Stations,
  WakeUp,
  CommitStack,
  FetchPorts,
  StoreQueue,
  Gpr,
  Gub,
  Fpr,
  Fub,
  DataCache,
  DataTlb,
  L2,
  MemoryInterface,
  SimdStation,
  Sfpr,
  Sbm,
  PeLinks,
  TransferEngine,
  // execution units
  IntegerUnits,
  FpUnits,
  AddressUnits,
  BranchUnit,
  PeUnits,
  // leakage
  LeakageCore,
  LeakageL2,
  LeakagePes,
};
inline constexpr std::size_t kComponents = static_cast<std::size_t>(Component::LeakagePes) + 1;
constexpr Component component_of(pipeline::Stage stage) { return static_cast<Component>(stage); }

enum class ComponentGroup : std::uint8_t { Stages, Structures, Execution, Leakage };
inline constexpr std::size_t kComponentGroups = 4;
ComponentGroup group_of(Component component);
std::string_view name(Component component);   ///< "X", "PE X", "data_cache", …
std::string_view name(ComponentGroup group);  ///< "stages", …

/// The owners of energy. The first are the latency classes of committed instructions, in the scalar part and
/// in the PEs.
enum class Owner : std::uint8_t {
  Flushed = isa::kLatencyClasses,  ///< instructions of a wrong path
  Fetch,                           ///< blocks of instructions: IA, IT, IM, instruction cache, branch history
  Memory,                          ///< lines between the levels of memory, TLB refills
  Transfers,                       ///< block transfers
  IdleLatches,                     ///< latches clocked without new values
  Leakage,
};
inline constexpr std::size_t kOwners = static_cast<std::size_t>(Owner::Leakage) + 1;
constexpr Owner owner_of(isa::LatencyClass latency) { return static_cast<Owner>(latency); }
std::string_view name(Owner owner);  ///< "fp_multiply_add", "flushed", …

struct Breakdown {
  Femtojoules total = 0;
  std::array<Femtojoules, kComponents> components{};
  std::array<Femtojoules, kOwners> owners{};
  Femtojoules operator[](Component component) const {
    return components[static_cast<std::size_t>(component)];
  }
  Breakdown& operator+=(const Breakdown& other);
  Breakdown& operator-=(const Breakdown& other);
  /// Adds `energy` to a component of an owner.
  void add(Component component, Owner owner, Femtojoules energy) {
    total += energy;
    components[static_cast<std::size_t>(component)] += energy;
    owners[static_cast<std::size_t>(owner)] += energy;
  }
  Femtojoules operator[](Owner owner) const { return owners[static_cast<std::size_t>(owner)]; }
};

}  // namespace psim::energy
