// SPDX-License-Identifier: Apache-2.0
// Prefetch, memory ordering, instruction cache.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kOrderingRows[] = {
    row(Op::Prefetch, "prefetch", "11 ddddd 101101 sssss 0 -------- ttttt", kPrefetchR, kPrefetch, "V9 A.42"),
    row(Op::Prefetch, "prefetch", "11 ddddd 101101 sssss 1 iiiiiiiiiiiii", kPrefetchI, kPrefetch, "V9 A.42"),
    row(Op::Prefetcha, "prefetcha", "11 ddddd 111101 sssss 0 xxxxxxxx ttttt", kPrefetchAsiR, kPrefetch, "V9 A.42"),
    row(Op::Prefetcha, "prefetcha", "11 ddddd 111101 sssss 1 iiiiiiiiiiiii", kPrefetchAsiI, kPrefetch, "V9 A.42"),
    row(Op::Membar, "membar", "10 00000 101000 01111 1 000000 mmmmmmm", kMembar, kNothing, "V9 A.32"),
    row(Op::Stbar, "stbar", "10 00000 101000 01111 0 0000000000000", kNoOperands, kNothing, "V9 A.51"),
    row(Op::Flush, "flush", "10 ----- 111011 sssss 0 00000000 ttttt", kFlushR, kSerialMemory, "V9 A.20"),
    row(Op::Flush, "flush", "10 ----- 111011 sssss 1 iiiiiiiiiiiii", kFlushI, kSerialMemory, "V9 A.20"),
};
// clang-format on

}  // namespace psim::isa::table
