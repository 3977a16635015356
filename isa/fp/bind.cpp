// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/registers.h"

namespace psim::isa {

void bind_fp(Bindings& b, FmaRounding fma) {
  fp::bind_arithmetic(b);
  fp::bind_convert(b);
  fp::bind_compare(b);
  fp::bind_multiply_add(b, fma);
  fp::bind_moves(b);
  fp::bind_conditional_moves(b);
  fp::bind_quad(b);
}

}  // namespace psim::isa
