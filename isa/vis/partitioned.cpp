// SPDX-License-Identifier: Apache-2.0
#include "isa/vis/arithmetic.h"
#include "isa/vis/handlers.h"
#include "isa/vis/multiply.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {
namespace {

void bind_adds(Bindings& b) {
  b[Op::Fpadd16] = fp_binary<&fpadd<u16, u64>>();
  b[Op::Fpadd16s] = fp_binary<&fpadd<u16, u32>>();
  b[Op::Fpadd32] = fp_binary<&fpadd<u32, u64>>();
  b[Op::Fpadd32s] = fp_binary<&fpadd<u32, u32>>();
  b[Op::Fpsub16] = fp_binary<&fpsub<u16, u64>>();
  b[Op::Fpsub16s] = fp_binary<&fpsub<u16, u32>>();
  b[Op::Fpsub32] = fp_binary<&fpsub<u32, u64>>();
  b[Op::Fpsub32s] = fp_binary<&fpsub<u32, u32>>();
  b[Op::Fpadd64] = fp_binary<&fpadd<u64, u64>>();
  b[Op::Fpsub64] = fp_binary<&fpsub<u64, u64>>();
  b[Op::Fpadds16] = fp_binary<&fpadds<s16, u64>>();
  b[Op::Fpadds16s] = fp_binary<&fpadds<s16, u32>>();
  b[Op::Fpadds32] = fp_binary<&fpadds<s32, u64>>();
  b[Op::Fpadds32s] = fp_binary<&fpadds<s32, u32>>();
  b[Op::Fpsubs16] = fp_binary<&fpsubs<s16, u64>>();
  b[Op::Fpsubs16s] = fp_binary<&fpsubs<s16, u32>>();
  b[Op::Fpsubs32] = fp_binary<&fpsubs<s32, u64>>();
  b[Op::Fpsubs32s] = fp_binary<&fpsubs<s32, u32>>();
}

void bind_shifts_and_sums(Bindings& b) {
  b[Op::Fsll16] = fp_binary<&shift_left<u16>>();
  b[Op::Fsll32] = fp_binary<&shift_left<u32>>();
  b[Op::Fsrl16] = fp_binary<&shift_right<u16>>();
  b[Op::Fsrl32] = fp_binary<&shift_right<u32>>();
  b[Op::Fsra16] = fp_binary<&shift_right<s16>>();
  b[Op::Fsra32] = fp_binary<&shift_right<s32>>();
  b[Op::Fslas16] = fp_binary<&shift_left_saturating<s16>>();
  b[Op::Fslas32] = fp_binary<&shift_left_saturating<s32>>();
  b[Op::Fmean16] = fp_binary<&fmean16>();
  b[Op::Fchksm16] = fp_binary<&fchksm16>();
  b[Op::Pdistn] = fp_to_int<&pdistn>();
  b[Op::Pdist] = {
      .handler = accumulate<&pdist>, .rd = Bank::Double, .rs1 = Bank::Double, .rs2 = Bank::Double};
  constexpr Bank d = Bank::Double;
  b[Op::Fpmaddx] = {.handler = ternary<&fpmaddx>, .rd = d, .rs1 = d, .rs2 = d, .rs3 = d};
  b[Op::Fpmaddxhi] = {.handler = ternary<&fpmaddxhi>, .rd = d, .rs1 = d, .rs2 = d, .rs3 = d};
}

void bind_compares(Bindings& b) {
  b[Op::Fpcmple16] = fp_to_int<&fpcmple<s16>>();
  b[Op::Fpcmpne16] = fp_to_int<&fpcmpne<s16>>();
  b[Op::Fpcmpgt16] = fp_to_int<&fpcmpgt<s16>>();
  b[Op::Fpcmpeq16] = fp_to_int<&fpcmpeq<s16>>();
  b[Op::Fpcmple32] = fp_to_int<&fpcmple<s32>>();
  b[Op::Fpcmpne32] = fp_to_int<&fpcmpne<s32>>();
  b[Op::Fpcmpgt32] = fp_to_int<&fpcmpgt<s32>>();
  b[Op::Fpcmpeq32] = fp_to_int<&fpcmpeq<s32>>();
  b[Op::Fpcmpule8] = fp_to_int<&fpcmple<u8>>();
  b[Op::Fpcmpune8] = fp_to_int<&fpcmpne<u8>>();
  b[Op::Fpcmpugt8] = fp_to_int<&fpcmpgt<u8>>();
  b[Op::Fpcmpueq8] = fp_to_int<&fpcmpeq<u8>>();
}

void bind_multiplies(Bindings& b) {
  b[Op::Fmul8x16] = fp_binary<&fmul8x16>();
  b[Op::Fmul8x16au] = fp_binary<&fmul8x16a<0>>();
  b[Op::Fmul8x16al] = fp_binary<&fmul8x16a<1>>();
  b[Op::Fmul8sux16] = fp_binary<&fmul8sux16>();
  b[Op::Fmul8ulx16] = fp_binary<&fmul8ulx16>();
  b[Op::Fmuld8sux16] = fp_binary<&fmuld8sux16>();
  b[Op::Fmuld8ulx16] = fp_binary<&fmuld8ulx16>();
}

void bind_packs(Bindings& b) {
  b[Op::Fpack16] = fp_unary_gsr<&fpack16>();
  b[Op::Fpack32] = fp_binary_gsr<&fpack32>();
  b[Op::Fpackfix] = fp_unary_gsr<&fpackfix>();
  b[Op::Fexpand] = fp_unary<&fexpand>();
  b[Op::Fpmerge] = fp_binary<&fpmerge>();
  b[Op::Faligndata] = fp_binary_gsr<&faligndata>();
  b[Op::Bshuffle] = fp_binary_gsr<&bshuffle>();
}

}  // namespace

void bind_partitioned(Bindings& b) {
  bind_adds(b);
  bind_shifts_and_sums(b);
  bind_compares(b);
  bind_multiplies(b);
  bind_packs(b);
}

}  // namespace psim::isa::vis
