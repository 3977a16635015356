// SPDX-License-Identifier: Apache-2.0
#include "isa/simd/as_scalar.h"

namespace psim::isa::simd {

namespace {
PSIM_HANDLER(access_end) {
  c->exit = Exit::Done;
  return nullptr;
}
}  // namespace

bool as_scalar(Context* c, const Action* a, Handler handler, std::uint16_t rd, std::byte* host,
               const std::uint8_t* pages) {
  Action pair[2] = {*a, {}};
  pair[0].handler = handler, pair[0].rd = rd;
  pair[1].handler = access_end;
#if PSIM_THREADED
  handler(c, pair, host, pages);
#else
  for (const Action* at = pair; at != nullptr;) at = at->handler(c, at, host, pages);
#endif
  if (c->exit == Exit::Done) return true;
  c->exit_action = a;
  return false;
}

}  // namespace psim::isa::simd
