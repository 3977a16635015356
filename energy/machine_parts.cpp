// SPDX-License-Identifier: Apache-2.0
#include "energy/machine_parts.h"

namespace psim::energy {

std::string_view name(Part part) {
  constexpr std::array<std::string_view, kParts> kNames{"cores",  "pes",        "sbm",  "caches",
                                                        "memory", "interfaces", "links"};
  return kNames[static_cast<std::size_t>(part)];
}

Part part_of(Component component) {
  switch (component) {
    case Component::PeB:
    case Component::PeX:
    case Component::PeU:
    case Component::SimdStation:
    case Component::Sfpr:
    case Component::PeLinks:
    case Component::PeUnits:
    case Component::LeakagePes:
      return Part::Pes;
    case Component::Sbm:
    case Component::TransferEngine:
      return Part::Sbm;
    case Component::InstructionCache:
    case Component::DataCache:
    case Component::L2:
    case Component::LeakageL2:
      return Part::Caches;
    case Component::MemoryInterface:
      return Part::Memory;
    default:
      return Part::Cores;
  }
}

MachineParts::MachineParts(const Breakdown& core) {
  for (std::size_t i = 0; i < kComponents; ++i) {
    const auto component = static_cast<Component>(i);
    PartEnergy& part = (*this)[part_of(component)];
    (group_of(component) == ComponentGroup::Leakage ? part.constant : part.dynamic) += core.components[i];
  }
}

Femtojoules MachineParts::total() const {
  Femtojoules sum = 0;
  for (const PartEnergy& part : parts) sum += part.total();
  return sum;
}

Femtojoules MachineParts::constant() const {
  Femtojoules sum = 0;
  for (const PartEnergy& part : parts) sum += part.constant;
  return sum;
}

MachineParts& MachineParts::operator+=(const MachineParts& other) {
  for (std::size_t i = 0; i < kParts; ++i) {
    parts[i].dynamic += other.parts[i].dynamic;
    parts[i].constant += other.parts[i].constant;
  }
  return *this;
}

MachineParts& MachineParts::operator-=(const MachineParts& other) {
  for (std::size_t i = 0; i < kParts; ++i) {
    parts[i].dynamic -= other.parts[i].dynamic;
    parts[i].constant -= other.parts[i].constant;
  }
  return *this;
}

}  // namespace psim::energy
