// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/bindings.h"

#include "isa/simd/lanes.h"

namespace psim::isa {

const Bindings& bindings(FmaRounding fma, bool simd) {
  static const Bindings kAll[2][2] = {
      {Bindings(FmaRounding::Fused, nullptr), Bindings(FmaRounding::Unfused, nullptr)},
      {Bindings(FmaRounding::Fused, simd::by_lanes), Bindings(FmaRounding::Unfused, simd::by_lanes)}};
  return kAll[simd][fma == FmaRounding::Unfused];
}

}  // namespace psim::isa
