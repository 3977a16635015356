// SPDX-License-Identifier: Apache-2.0
// Formats and timings of the SIMD extension. The codes are used neither by a SPARC processor known to GNU
// binutils nor by Fujitsu's HPC-ACE: ancillary state registers 8–10, opf 0x090–0x0FF of IMPDEP1, op3 0x1D of
// op 2, op3 0x28 and 0x38–0x3A of op 3.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Format kScalarToPeS{{Fs2, PeS}}, kScalarToPeD{{Fd2, PeD}}, kPeToScalarS{{PeS2, Fs}}, kPeToScalarD{{PeD2, Fd}};
inline constexpr Format kPutS{{Rs1, Fs2, PeS}}, kPutD{{Rs1, Fd2, PeD}}, kGetS{{Rs1, PeS2, Fs}}, kGetD{{Rs1, PeD2, Fd}}, kPeIndex{{PeD}};
inline constexpr Format kPeSs{{PeS2, PeS}}, kPeDd{{PeD2, PeD}}, kPeSss{{PeS1, PeS2, PeS}}, kPeDdd{{PeD1, PeD2, PeD}};
inline constexpr Format kPeSsss{{PeS1, PeS2, PeS3, PeS}}, kPeDddd{{PeD1, PeD2, PeD3, PeD}};

inline constexpr Timing kPeMove{Unit::Simd, LatencyClass::PeMove};
inline constexpr Timing kPeSum{Unit::Simd, LatencyClass::PeSum};
inline constexpr Timing kSimdAdd{Unit::Simd, LatencyClass::FpAdd};
inline constexpr Timing kSimdMultiply{Unit::Simd, LatencyClass::FpMultiply};
inline constexpr Timing kSimdMultiplyAdd{Unit::Simd, LatencyClass::FpMultiplyAdd};
inline constexpr Timing kBlockTransfer{Unit::Address, LatencyClass::BlockTransfer, effect::kLoad};
inline constexpr Timing kTransferSync{Unit::Address, LatencyClass::TransferSync};
// clang-format on

}  // namespace psim::isa::table
