// SPDX-License-Identifier: Apache-2.0
// VIS 2 (OSA2011).
#include "isa/fp/environment.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"
#include "isa/vis/address.h"
#include "isa/vis/handlers.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {
namespace {

PSIM_HANDLER(bmask) {
  CpuState& state = *c;
  const u64 sum = get(c, a->rs1) + get(c, a->rs2);
  state.gsr = (state.gsr & 0xffffffff) | sum << 32;
  put(c, a->rd, sum);
  PSIM_NEXT;
}

/// GSR.im and GSR.irnd take the three bits of the mode.
PSIM_HANDLER(siam) {
  CpuState& state = *c;
  fp::write_gsr(state, (state.gsr & ~(u64{7} << 25)) | u64{bits(a->word, 0, 3)} << 25);
  PSIM_NEXT;
}

constexpr Execution kByteMask{{.handler = bmask}};
constexpr Execution kSetMode{{.handler = siam, .floating = true}};

}  // namespace
}  // namespace psim::isa::vis

namespace psim::isa::table {
using namespace vis;

namespace {
// clang-format off
constexpr auto kVis2Rows = needing(hwcap::kVis2, {
    row("edge8n", "10 ddddd 110110 sssss 000000001 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u8, false>>),
    row("edge8ln", "10 ddddd 110110 sssss 000000011 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u8, true>>),
    row("edge16n", "10 ddddd 110110 sssss 000000101 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u16, false>>),
    row("edge16ln", "10 ddddd 110110 sssss 000000111 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u16, true>>),
    row("edge32n", "10 ddddd 110110 sssss 000001001 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u32, false>>),
    row("edge32ln", "10 ddddd 110110 sssss 000001011 ttttt", kRrr, kSimple, "OSA2011 EDGE", kVisBinary<&edge<u32, true>>),
    row("bmask", "10 ddddd 110110 sssss 000011001 ttttt", kRrr, kSimple, "OSA2011 BMASK", kByteMask, effect::kReadGsr | effect::kWriteGsr),
    row("bshuffle", "10 ddddd 110110 sssss 001001100 ttttt", kDdd, kFpMove, "OSA2011 BSHUFFLE", kBinaryGsr<&bshuffle>, effect::kReadGsr),
    row("siam", "10 00000 110110 00000 010000001 00 iii", kSiam, kSerial, "OSA2011 SIAM", kSetMode, effect::kReadGsr | effect::kWriteGsr),
});
// clang-format on
static_assert(disjoint(kVis2Rows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> vis2_rows() { return kVis2Rows; }

}  // namespace psim::isa::table
