// SPDX-License-Identifier: Apache-2.0
// VIS 3 (OSA2011). The floating-point operations are rare, so they always use exact arithmetic.
#include <bit>

#include "isa/fp/registers.h"
#include "isa/instructions/integer_shapes.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"
#include "isa/vis/arithmetic.h"
#include "isa/vis/handlers.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {
namespace {

constexpr u64 umulxhi(u64 a, u64 b) {
  return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> 64);
}
constexpr u64 lzcnt(u64 b) { return static_cast<u64>(std::countl_zero(b)); }

constexpr u64 unchanged(u64 value) { return value; }
constexpr u64 zero_extended(u32 value) { return value; }
constexpr u64 sign_extended_word(u32 value) { return static_cast<u64>(s64{static_cast<s32>(value)}); }
constexpr u32 low_word(u64 value) { return static_cast<u32>(value); }

template <class Lane>
PSIM_HANDLER(set_mask) {
  CpuState& state = *c;
  state.gsr = cmask<Lane>(get(c, a->rs2), state.gsr);
  PSIM_NEXT;
}

/// rd = F(rs1, rs2, rs3)
template <auto F>
PSIM_HANDLER(ternary) {
  put(c, a->rd, F(get(c, a->rs1), get(c, a->rs2), get(c, a->rs3)));
  PSIM_NEXT;
}

template <class Lane>
constexpr Execution kSetMask{{.handler = set_mask<Lane>}};
template <auto F>
constexpr Execution kTernary{{.handler = ternary<F>}};

}  // namespace
}  // namespace psim::isa::vis

namespace psim::isa::table {
using namespace vis;

namespace {
// clang-format off
constexpr auto kVis3Rows = needing(hwcap::kVis3, {
    // Integer registers.
    row("addxc", "10 ddddd 110110 sssss 000010001 ttttt", kRrr, kSimple, "OSA2011 ADDXC", integer::kCarry<false, true, false>, effect::kReadCc),
    row("addxccc", "10 ddddd 110110 sssss 000010011 ttttt", kRrr, kSimple, "OSA2011 ADDXC", integer::kCarry<false, true, true>, effect::kReadCc | effect::kWriteCc),
    row("umulxhi", "10 ddddd 110110 sssss 000010110 ttttt", kRrr, kMultiply, "OSA2011 UMULXHI", integer::kBinary<umulxhi>),
    row("xmulx", "10 ddddd 110110 sssss 100010101 ttttt", kRrr, kMultiply, "OSA2011 XMULX", kVisBinary<&xmulx>),
    row("xmulxhi", "10 ddddd 110110 sssss 100010110 ttttt", kRrr, kMultiply, "OSA2011 XMULX", kVisBinary<&xmulxhi>),
    row("lzcnt", "10 ddddd 110110 ----- 000010111 ttttt", kRr, kSimple, "OSA2011 LZCNT", integer::kUnary<lzcnt>),
    row("cmask8", "10 ----- 110110 ----- 000011011 ttttt", kR2, kSimple, "OSA2011 CMASK", kSetMask<u8>, effect::kReadGsr | effect::kWriteGsr),
    row("cmask16", "10 ----- 110110 ----- 000011101 ttttt", kR2, kSimple, "OSA2011 CMASK", kSetMask<u16>, effect::kReadGsr | effect::kWriteGsr),
    row("cmask32", "10 ----- 110110 ----- 000011111 ttttt", kR2, kSimple, "OSA2011 CMASK", kSetMask<u32>, effect::kReadGsr | effect::kWriteGsr),
    // Between the register files.
    row("movdtox", "10 ddddd 110110 ----- 100010000 ttttt", kD2R, kFpMove, "OSA2011 MOVfTOi", kUnary<&unchanged>),
    row("movstouw", "10 ddddd 110110 ----- 100010001 ttttt", kS2R, kFpMove, "OSA2011 MOVfTOi", kUnary<&zero_extended>),
    row("movstosw", "10 ddddd 110110 ----- 100010011 ttttt", kS2R, kFpMove, "OSA2011 MOVfTOi", kUnary<&sign_extended_word>),
    row("movxtod", "10 ddddd 110110 ----- 100011000 ttttt", kR2D, kFpMove, "OSA2011 MOViTOf", kUnary<&unchanged>),
    row("movwtos", "10 ddddd 110110 ----- 100011001 ttttt", kR2S, kFpMove, "OSA2011 MOViTOf", kUnary<&low_word>),
    // Partitioned shifts, means, sums and distances.
    row("fsll16", "10 ddddd 110110 sssss 000100001 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_left<u16>>),
    row("fsrl16", "10 ddddd 110110 sssss 000100011 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_right<u16>>),
    row("fslas16", "10 ddddd 110110 sssss 000101001 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_left_saturating<s16>>),
    row("fsra16", "10 ddddd 110110 sssss 000101011 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_right<s16>>),
    row("fsll32", "10 ddddd 110110 sssss 000100101 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_left<u32>>),
    row("fsrl32", "10 ddddd 110110 sssss 000100111 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_right<u32>>),
    row("fslas32", "10 ddddd 110110 sssss 000101101 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_left_saturating<s32>>),
    row("fsra32", "10 ddddd 110110 sssss 000101111 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT", kInLanes<&shift_right<s32>>),
    row("fchksm16", "10 ddddd 110110 sssss 001000100 ttttt", kDdd, kFpMove, "OSA2011 FCHKSM16", kInLanes<&fchksm16>),
    row("fmean16", "10 ddddd 110110 sssss 001000000 ttttt", kDdd, kFpMove, "OSA2011 FMEAN16", kInLanes<&fmean16>),
    row("pdistn", "10 ddddd 110110 sssss 000111111 ttttt", kDdR, kFpMultiply, "OSA2011 PDISTN", kVisBinary<&pdistn>),
    row("fpadd64", "10 ddddd 110110 sssss 001000010 ttttt", kDdd, kFpMove, "OSA2011 FPADD", kInLanes<&fpadd<u64, u64>>, 0, 0, hwcap::kVis3 | hwcap::kVis3b),
    row("fpsub64", "10 ddddd 110110 sssss 001000110 ttttt", kDdd, kFpMove, "OSA2011 FPSUB", kInLanes<&fpsub<u64, u64>>, 0, 0, hwcap::kVis3 | hwcap::kVis3b),
    row("fpadds16", "10 ddddd 110110 sssss 001011000 ttttt", kDdd, kFpMove, "OSA2011 FPADDS", kInLanes<&fpadds<s16, u64>>),
    row("fpadds16s", "10 ddddd 110110 sssss 001011001 ttttt", kSss, kFpMove, "OSA2011 FPADDS", kInLanes<&fpadds<s16, u32>>),
    row("fpadds32", "10 ddddd 110110 sssss 001011010 ttttt", kDdd, kFpMove, "OSA2011 FPADDS", kInLanes<&fpadds<s32, u64>>),
    row("fpadds32s", "10 ddddd 110110 sssss 001011011 ttttt", kSss, kFpMove, "OSA2011 FPADDS", kInLanes<&fpadds<s32, u32>>),
    row("fpsubs16", "10 ddddd 110110 sssss 001011100 ttttt", kDdd, kFpMove, "OSA2011 FPSUBS", kInLanes<&fpsubs<s16, u64>>),
    row("fpsubs16s", "10 ddddd 110110 sssss 001011101 ttttt", kSss, kFpMove, "OSA2011 FPSUBS", kInLanes<&fpsubs<s16, u32>>),
    row("fpsubs32", "10 ddddd 110110 sssss 001011110 ttttt", kDdd, kFpMove, "OSA2011 FPSUBS", kInLanes<&fpsubs<s32, u64>>),
    row("fpsubs32s", "10 ddddd 110110 sssss 001011111 ttttt", kSss, kFpMove, "OSA2011 FPSUBS", kInLanes<&fpsubs<s32, u32>>),
    row("fpcmpule8", "10 ddddd 110110 sssss 100100000 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU", kVisBinary<&fpcmple<u8>>),
    row("fpcmpune8", "10 ddddd 110110 sssss 100100010 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU", kVisBinary<&fpcmpne<u8>>),
    row("fpcmpugt8", "10 ddddd 110110 sssss 100101000 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU", kVisBinary<&fpcmpgt<u8>>),
    row("fpcmpueq8", "10 ddddd 110110 sssss 100101010 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU", kVisBinary<&fpcmpeq<u8>>),
    // Floating point: negated and halved sums and products.
    row("fnadds", "10 ddddd 110100 sssss 001010001 ttttt", kSss, kFpAdd, "OSA2011 FNADD", fp::kExactly<fp::Operation::Nadds, float, float>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnaddd", "10 ddddd 110100 sssss 001010010 ttttt", kDdd, kFpAdd, "OSA2011 FNADD", fp::kExactly<fp::Operation::Naddd, double, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnmuls", "10 ddddd 110100 sssss 001011001 ttttt", kSss, kFpMultiply, "OSA2011 FNMUL", fp::kExactly<fp::Operation::Nmuls, float, float>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnmuld", "10 ddddd 110100 sssss 001011010 ttttt", kDdd, kFpMultiply, "OSA2011 FNMUL", fp::kExactly<fp::Operation::Nmuld, double, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnsmuld", "10 ddddd 110100 sssss 001111001 ttttt", kSsd, kFpMultiply, "OSA2011 FNMUL", fp::kExactly<fp::Operation::Nsmuld, float, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fhadds", "10 ddddd 110100 sssss 001100001 ttttt", kSss, kFpAdd, "OSA2011 FHADD", fp::kExactly<fp::Operation::Hadds, float, float>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fhaddd", "10 ddddd 110100 sssss 001100010 ttttt", kDdd, kFpAdd, "OSA2011 FHADD", fp::kExactly<fp::Operation::Haddd, double, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fhsubs", "10 ddddd 110100 sssss 001100101 ttttt", kSss, kFpAdd, "OSA2011 FHSUB", fp::kExactly<fp::Operation::Hsubs, float, float>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fhsubd", "10 ddddd 110100 sssss 001100110 ttttt", kDdd, kFpAdd, "OSA2011 FHSUB", fp::kExactly<fp::Operation::Hsubd, double, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnhadds", "10 ddddd 110100 sssss 001110001 ttttt", kSss, kFpAdd, "OSA2011 FNHADD", fp::kExactly<fp::Operation::Nhadds, float, float>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    row("fnhaddd", "10 ddddd 110100 sssss 001110010 ttttt", kDdd, kFpAdd, "OSA2011 FNHADD", fp::kExactly<fp::Operation::Nhaddd, double, double>, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kHpc),
    // Integer multiply-add in floating-point registers.
    row("fpmaddx", "10 ddddd 110111 sssss uuuuu 0000 ttttt", kDddd, kFpMultiplyAdd, "OSA2011 FPMADDX", kTernary<&fpmaddx>, 0, 0, hwcap::kIma),
    row("fpmaddxhi", "10 ddddd 110111 sssss uuuuu 0100 ttttt", kDddd, kFpMultiplyAdd, "OSA2011 FPMADDX", kTernary<&fpmaddxhi>, 0, 0, hwcap::kIma),
});
// clang-format on
static_assert(disjoint(kVis3Rows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> vis3_rows() { return kVis3Rows; }

}  // namespace psim::isa::table
