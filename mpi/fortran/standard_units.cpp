// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "mpi/fortran/units.h"
#include "mpi/library.h"

namespace {

constexpr int kNobody = -1;

/// Who is in the middle of a statement on units 0 … 6.
std::array<int, 7>& holders() {
  static std::array<int, 7> all = [] {
    std::array<int, 7> nobody;
    nobody.fill(kNobody);
    return nobody;
  }();
  return all;
}
int& holder(int unit) { return holders()[static_cast<std::size_t>(unit)]; }

}  // namespace

extern "C" {

int psim_rank() { return static_cast<int>(psim::net::mpi::self().id); }

int psim_unit_free(int unit) { return holder(unit) == kNobody || holder(unit) == psim_rank(); }

int psim_unit_enter(int unit) {
  if (!psim_unit_free(unit)) return 0;
  holder(unit) = psim_rank();
  return 1;
}

void psim_unit_leave(int unit) {
  if (holder(unit) == psim_rank()) holder(unit) = kNobody;
}

}  // extern "C"
