// SPDX-License-Identifier: Apache-2.0
// VIS 1 (OSA2011).
#include "isa/table/groups.h"
#include "isa/table/row.h"
#include "isa/vis/address.h"
#include "isa/vis/arithmetic.h"
#include "isa/vis/handlers.h"
#include "isa/vis/multiply.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {

// The sixteen logical operations on double and single registers (OSA2011 F Register Logical).

template <class R>
constexpr R and_(R a, R b) {
  return a & b;
}
template <class R>
constexpr R or_(R a, R b) {
  return a | b;
}
template <class R>
constexpr R xor_(R a, R b) {
  return a ^ b;
}
template <class R>
constexpr R nand_(R a, R b) {
  return ~(a & b);
}
template <class R>
constexpr R nor_(R a, R b) {
  return ~(a | b);
}
template <class R>
constexpr R xnor_(R a, R b) {
  return ~(a ^ b);
}
template <class R>
constexpr R andnot1(R a, R b) {
  return ~a & b;
}
template <class R>
constexpr R andnot2(R a, R b) {
  return a & ~b;
}
template <class R>
constexpr R ornot1(R a, R b) {
  return ~a | b;
}
template <class R>
constexpr R ornot2(R a, R b) {
  return a | ~b;
}
template <class R>
constexpr R same(R a) {
  return a;
}
template <class R>
constexpr R not_(R a) {
  return ~a;
}

template <class R, R Value>
PSIM_HANDLER(constant) {
  put<R>(c, a->rd, Value);
  PSIM_NEXT;
}
/// rd = F(rs1)
template <auto F>
PSIM_HANDLER(unary_first) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs1)));
  PSIM_NEXT;
}

/// Operations on rs1 alone, and on rs2 alone.
template <auto F>
inline constexpr Execution kLogicalFirst{
    {.handler = unary_first<F>}, simd::bitwise<Result<F>, [](Result<F> a, Result<F>) { return F(a); }>};
template <auto F>
inline constexpr Execution kLogicalSecond{
    {.handler = unary<F>}, simd::bitwise<Result<F>, [](Result<F>, Result<F> b) { return F(b); }>};
template <class R, R Value>
inline constexpr Execution kFill{{.handler = constant<R, Value>},
                                 simd::bitwise<R, [](R, R) { return Value; }>};
namespace {

/// edge…cc: CCR as of subcc.
template <auto F>
PSIM_HANDLER(edge_cc) {
  CpuState& state = *c;
  const u64 x = get(c, a->rs1), y = get(c, a->rs2);
  state.cc_kind = CcKind::Sub;
  state.cc_a = x;
  state.cc_b = y;
  put(c, a->rd, F(x, y));
  PSIM_NEXT;
}
/// GSR.align becomes the low bits of the sum, or with Little of its negative.
template <bool Little>
PSIM_HANDLER(alignaddr) {
  CpuState& state = *c;
  const u64 sum = get(c, a->rs1) + get(c, a->rs2);
  state.gsr = (state.gsr & ~u64{7}) | ((Little ? 0 - sum : sum) & 7);
  put(c, a->rd, sum & ~u64{7});
  PSIM_NEXT;
}

/// rd = F(rs1, rs2, rd)
template <auto F>
PSIM_HANDLER(accumulate) {
  put(c, a->rd, F(get(c, a->rs1), get(c, a->rs2), get(c, a->rd)));
  PSIM_NEXT;
}
template <auto F>
constexpr Execution kEdgeCc{{.handler = edge_cc<F>}};
template <bool Little>
constexpr Execution kAlignAddress{{.handler = alignaddr<Little>}};
constexpr Execution kPixelDistance{{.handler = accumulate<&pdist>}};

}  // namespace
}  // namespace psim::isa::vis

namespace psim::isa::table {
using namespace vis;

namespace {
// clang-format off
constexpr auto kVis1Rows = needing(hwcap::kVis, {
    // Edges and addresses of arrays.
    row("edge8cc", "10 ddddd 110110 sssss 000000000 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u8, false>>, effect::kWriteCc),
    row("edge8lcc", "10 ddddd 110110 sssss 000000010 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u8, true>>, effect::kWriteCc),
    row("edge16cc", "10 ddddd 110110 sssss 000000100 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u16, false>>, effect::kWriteCc),
    row("edge16lcc", "10 ddddd 110110 sssss 000000110 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u16, true>>, effect::kWriteCc),
    row("edge32cc", "10 ddddd 110110 sssss 000001000 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u32, false>>, effect::kWriteCc),
    row("edge32lcc", "10 ddddd 110110 sssss 000001010 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", kEdgeCc<&edge<u32, true>>, effect::kWriteCc),
    row("array8", "10 ddddd 110110 sssss 000010000 ttttt", kRrr, kSimple, "OSA2011 ARRAY", kVisBinary<&array<0>>),
    row("array16", "10 ddddd 110110 sssss 000010010 ttttt", kRrr, kSimple, "OSA2011 ARRAY", kVisBinary<&array<1>>),
    row("array32", "10 ddddd 110110 sssss 000010100 ttttt", kRrr, kSimple, "OSA2011 ARRAY", kVisBinary<&array<2>>),
    row("alignaddr", "10 ddddd 110110 sssss 000011000 ttttt", kRrr, kSimple, "OSA2011 ALIGNADDRESS", kAlignAddress<false>, effect::kReadGsr | effect::kWriteGsr),
    row("alignaddrl", "10 ddddd 110110 sssss 000011010 ttttt", kRrr, kSimple, "OSA2011 ALIGNADDRESS", kAlignAddress<true>, effect::kReadGsr | effect::kWriteGsr),
    row("faligndata", "10 ddddd 110110 sssss 001001000 ttttt", kDdd, kFpMove, "OSA2011 FALIGNDATA", kBinaryGsr<&faligndata>, effect::kReadGsr),
    // Compares to an integer register.
    row("fpcmple16", "10 ddddd 110110 sssss 000100000 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmple<s16>>),
    row("fpcmpne16", "10 ddddd 110110 sssss 000100010 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpne<s16>>),
    row("fpcmpgt16", "10 ddddd 110110 sssss 000101000 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpgt<s16>>),
    row("fpcmpeq16", "10 ddddd 110110 sssss 000101010 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpeq<s16>>),
    row("fpcmple32", "10 ddddd 110110 sssss 000100100 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmple<s32>>),
    row("fpcmpne32", "10 ddddd 110110 sssss 000100110 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpne<s32>>),
    row("fpcmpgt32", "10 ddddd 110110 sssss 000101100 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpgt<s32>>),
    row("fpcmpeq32", "10 ddddd 110110 sssss 000101110 ttttt", kDdR, kFpMove, "OSA2011 FPCMP", kVisBinary<&fpcmpeq<s32>>),
    // Multiplication, packing and expansion.
    row("fmul8x16", "10 ddddd 110110 sssss 000110001 ttttt", kSdd, kFpMultiply, "OSA2011 FMUL8", kVisBinary<&fmul8x16>),
    row("fmul8x16au", "10 ddddd 110110 sssss 000110011 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8", kVisBinary<&fmul8x16a<0>>),
    row("fmul8x16al", "10 ddddd 110110 sssss 000110101 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8", kVisBinary<&fmul8x16a<1>>),
    row("fmul8sux16", "10 ddddd 110110 sssss 000110110 ttttt", kDdd, kFpMultiply, "OSA2011 FMUL8", kInLanes<&fmul8sux16>),
    row("fmul8ulx16", "10 ddddd 110110 sssss 000110111 ttttt", kDdd, kFpMultiply, "OSA2011 FMUL8", kInLanes<&fmul8ulx16>),
    row("fmuld8sux16", "10 ddddd 110110 sssss 000111000 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8", kVisBinary<&fmuld8sux16>),
    row("fmuld8ulx16", "10 ddddd 110110 sssss 000111001 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8", kVisBinary<&fmuld8ulx16>),
    row("fpack16", "10 ddddd 110110 00000 000111011 ttttt", kDs, kFpMove, "OSA2011 FPACK", kUnaryGsr<&fpack16>, effect::kReadGsr),
    row("fpack32", "10 ddddd 110110 sssss 000111010 ttttt", kDdd, kFpMove, "OSA2011 FPACK", kBinaryGsr<&fpack32>, effect::kReadGsr),
    row("fpackfix", "10 ddddd 110110 00000 000111101 ttttt", kDs, kFpMove, "OSA2011 FPACK", kUnaryGsr<&fpackfix>, effect::kReadGsr),
    row("fexpand", "10 ddddd 110110 00000 001001101 ttttt", kSd, kFpMove, "OSA2011 FEXPAND", kUnary<&fexpand>),
    row("fpmerge", "10 ddddd 110110 sssss 001001011 ttttt", kSsd, kFpMove, "OSA2011 FPMERGE", kVisBinary<&fpmerge>),
    row("pdist", "10 ddddd 110110 sssss 000111110 ttttt", kDdd, kFpMultiply, "OSA2011 PDIST", kPixelDistance, effect::kReadRd),
    // Partitioned addition and subtraction.
    row("fpadd16", "10 ddddd 110110 sssss 001010000 ttttt", kDdd, kFpMove, "OSA2011 FPADD", kInLanes<&fpadd<u16, u64>>),
    row("fpadd16s", "10 ddddd 110110 sssss 001010001 ttttt", kSss, kFpMove, "OSA2011 FPADD", kInLanes<&fpadd<u16, u32>>),
    row("fpadd32", "10 ddddd 110110 sssss 001010010 ttttt", kDdd, kFpMove, "OSA2011 FPADD", kInLanes<&fpadd<u32, u64>>),
    row("fpadd32s", "10 ddddd 110110 sssss 001010011 ttttt", kSss, kFpMove, "OSA2011 FPADD", kInLanes<&fpadd<u32, u32>>),
    row("fpsub16", "10 ddddd 110110 sssss 001010100 ttttt", kDdd, kFpMove, "OSA2011 FPSUB", kInLanes<&fpsub<u16, u64>>),
    row("fpsub16s", "10 ddddd 110110 sssss 001010101 ttttt", kSss, kFpMove, "OSA2011 FPSUB", kInLanes<&fpsub<u16, u32>>),
    row("fpsub32", "10 ddddd 110110 sssss 001010110 ttttt", kDdd, kFpMove, "OSA2011 FPSUB", kInLanes<&fpsub<u32, u64>>),
    row("fpsub32s", "10 ddddd 110110 sssss 001010111 ttttt", kSss, kFpMove, "OSA2011 FPSUB", kInLanes<&fpsub<u32, u32>>),
    // Logic.
    row("fzerod", "10 ddddd 110110 ----- 001100000 -----", kD, kFpMove, "OSA2011 F Register Logical", kFill<u64, 0>),
    row("fzeros", "10 ddddd 110110 ----- 001100001 -----", kS, kFpMove, "OSA2011 F Register Logical", kFill<u32, 0>),
    row("foned", "10 ddddd 110110 ----- 001111110 -----", kD, kFpMove, "OSA2011 F Register Logical", kFill<u64, ~u64{0}>),
    row("fones", "10 ddddd 110110 ----- 001111111 -----", kS, kFpMove, "OSA2011 F Register Logical", kFill<u32, ~u32{0}>),
    row("fsrc1d", "10 ddddd 110110 sssss 001110100 -----", kD1d, kFpMove, "OSA2011 F Register Logical", kLogicalFirst<&same<u64>>),
    row("fsrc1s", "10 ddddd 110110 sssss 001110101 -----", kS1s, kFpMove, "OSA2011 F Register Logical", kLogicalFirst<&same<u32>>),
    row("fsrc2d", "10 ddddd 110110 ----- 001111000 ttttt", kDd, kFpMove, "OSA2011 F Register Logical", kLogicalSecond<&same<u64>>),
    row("fsrc2s", "10 ddddd 110110 ----- 001111001 ttttt", kSs, kFpMove, "OSA2011 F Register Logical", kLogicalSecond<&same<u32>>),
    row("fnot1d", "10 ddddd 110110 sssss 001101010 -----", kD1d, kFpMove, "OSA2011 F Register Logical", kLogicalFirst<&not_<u64>>),
    row("fnot1s", "10 ddddd 110110 sssss 001101011 -----", kS1s, kFpMove, "OSA2011 F Register Logical", kLogicalFirst<&not_<u32>>),
    row("fnot2d", "10 ddddd 110110 ----- 001100110 ttttt", kDd, kFpMove, "OSA2011 F Register Logical", kLogicalSecond<&not_<u64>>),
    row("fnot2s", "10 ddddd 110110 ----- 001100111 ttttt", kSs, kFpMove, "OSA2011 F Register Logical", kLogicalSecond<&not_<u32>>),
    row("fandd", "10 ddddd 110110 sssss 001110000 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&and_<u64>>),
    row("fands", "10 ddddd 110110 sssss 001110001 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&and_<u32>>),
    row("fandnot1d", "10 ddddd 110110 sssss 001101000 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&andnot1<u64>>),
    row("fandnot1s", "10 ddddd 110110 sssss 001101001 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&andnot1<u32>>),
    row("fandnot2d", "10 ddddd 110110 sssss 001100100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&andnot2<u64>>),
    row("fandnot2s", "10 ddddd 110110 sssss 001100101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&andnot2<u32>>),
    row("fnandd", "10 ddddd 110110 sssss 001101110 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&nand_<u64>>),
    row("fnands", "10 ddddd 110110 sssss 001101111 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&nand_<u32>>),
    row("ford", "10 ddddd 110110 sssss 001111100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&or_<u64>>),
    row("fors", "10 ddddd 110110 sssss 001111101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&or_<u32>>),
    row("fornot1d", "10 ddddd 110110 sssss 001111010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&ornot1<u64>>),
    row("fornot1s", "10 ddddd 110110 sssss 001111011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&ornot1<u32>>),
    row("fornot2d", "10 ddddd 110110 sssss 001110110 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&ornot2<u64>>),
    row("fornot2s", "10 ddddd 110110 sssss 001110111 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&ornot2<u32>>),
    row("fnord", "10 ddddd 110110 sssss 001100010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&nor_<u64>>),
    row("fnors", "10 ddddd 110110 sssss 001100011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&nor_<u32>>),
    row("fxord", "10 ddddd 110110 sssss 001101100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&xor_<u64>>),
    row("fxors", "10 ddddd 110110 sssss 001101101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&xor_<u32>>),
    row("fxnord", "10 ddddd 110110 sssss 001110010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical", kInLanes<&xnor_<u64>>),
    row("fxnors", "10 ddddd 110110 sssss 001110011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical", kInLanes<&xnor_<u32>>),
});
// clang-format on
static_assert(disjoint(kVis1Rows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> vis1_rows() { return kVis1Rows; }

}  // namespace psim::isa::table
