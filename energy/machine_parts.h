// SPDX-License-Identifier: Apache-2.0
// The parts of a machine of nodes and links, each with dynamic and static energy. The components of a core
// (energy/breakdown.h) belong to parts; the sums agree to the femtojoule.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "energy/breakdown.h"

namespace psim::energy {

enum class Part : std::uint8_t {
  Cores,       ///< stages, structures and units of the scalar part
  Pes,         ///< SIMD-PEs with their stations, registers and links
  Sbm,         ///< SBM, and the engine of block transfers
  Caches,      ///< both levels
  Memory,      ///< the path to memory, and DRAM
  Interfaces,  ///< of nodes to the network
  Links,       ///< all directions: base power is static, the power of awake directions dynamic
};
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::Links) + 1;
std::string_view name(Part part);  ///< "cores", … keys of a result
Part part_of(Component component);

struct PartEnergy {
  Femtojoules dynamic = 0;
  Femtojoules constant = 0;  ///< static
  Femtojoules total() const { return dynamic + constant; }
};

struct MachineParts {
  std::array<PartEnergy, kParts> parts{};

  MachineParts() = default;
  /// Adds up the components of a core.
  explicit MachineParts(const Breakdown& core);
  PartEnergy& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  const PartEnergy& operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
  Femtojoules total() const;
  /// Returns the static energy of all parts.
  Femtojoules constant() const;
  MachineParts& operator+=(const MachineParts& other);
  MachineParts& operator-=(const MachineParts& other);
};

/// Returns the energy of a constant power in the first `time` ps, rounded down to femtojoules. Differences of
/// two results are the energy of the time between, and sum exactly.
constexpr Femtojoules energy_until(std::uint64_t microwatts, std::uint64_t time) {
  return static_cast<Femtojoules>(microwatts) * static_cast<Femtojoules>(time) / 1000;
}

}  // namespace psim::energy
