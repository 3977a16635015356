// SPDX-License-Identifier: Apache-2.0
// All hardware numbers of the energy model: bits of a stage or structure, energy of an access or operation,
// leakage. One table names each with unit, meaning and source. The keys of [energy] in a machine file, their
// documentation and the sensitivity of results to them come from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/units.h"

namespace psim::energy {

enum class Coefficient : std::uint8_t {
  // Energy of one latch clocked once, with its share of clock, wires and the logic after it.
  LatchCore,
  LatchPe,
  // Bits that a block of fetched instructions has in each stage.
  BitsIa,
  BitsIt,
  BitsIm,
  // Bits that an instruction has in each stage.
  BitsIb,
  BitsIr,
  BitsE,
  BitsD,
  BitsP,
  BitsBInteger,
  BitsBFp,
  BitsBAddress,
  BitsBBranch,
  BitsXInteger,
  BitsXFp,
  BitsXAddress,
  BitsXBranch,
  BitsPs,
  BitsTs,
  BitsMs,
  BitsBs,
  BitsRs,
  BitsU,
  BitsW,
  // Bits of an operation on its way to the PEs, in each PE, and of its notice back.
  BitsC,
  BitsPeB,
  BitsPeX,
  BitsPeU,
  BitsW1,
  // Bits of one entry of structures built of latches.
  EntryBuffer,
  EntryStation,
  EntryCommit,
  EntryFetchPort,
  EntryStorePort,
  EntrySimdStation,
  // One access.
  InstructionRead,
  InstructionFill,
  DataRead,
  DataWrite,
  DataLine,
  PrefetchLookup,
  TlbLookup,
  TlbRefill,
  HistorySearch,
  HistoryUpdate,
  ReturnStack,
  MapLookup,
  MapUpdate,
  WakeUpEntry,
  Select,
  GprRead,
  GprWrite,
  GubRead,
  GubWrite,
  FprRead,
  FprWrite,
  FubRead,
  FubWrite,
  QueueSearch,
  L2Line,
  MemoryByte,
  SfprRead,
  SfprWrite,
  SbmRead,
  SbmWrite,
  CrossOperand,
  ScalarMove,
  TransferRequest,
  TransferByte,
  // One operation.
  ExecuteIntSimple,
  ExecuteIntMultiply,
  ExecuteIntDivide,
  ExecuteFpMove,
  ExecuteFpAdd,
  ExecuteFpMultiply,
  ExecuteFpMultiplyAdd,
  ExecuteFpDivideSingle,
  ExecuteFpDivideDouble,
  ExecuteFpSqrtSingle,
  ExecuteFpSqrtDouble,
  ExecuteFpQuad,
  ExecuteAddress,
  ExecuteBranch,
  // Constant.
  LeakageCore,
  LeakageL2,
  LeakagePe,
};
inline constexpr std::size_t kCoefficients = static_cast<std::size_t>(Coefficient::LeakagePe) + 1;

/// One row of the table.
struct CoefficientRow {
  Coefficient id;
  std::string_view key;  ///< below "energy.", "latch.core"
  Dimension dimension;   ///< Count of bits, Energy in fJ, Power in uW
  std::uint64_t value;   ///< default, in the base unit
  std::string_view doc;
  std::string_view source;
};
/// Returns the table in the order of Coefficient.
std::span<const CoefficientRow, kCoefficients> coefficient_table();

/// The values of all coefficients, in base units.
struct Coefficients {
  Coefficients();  ///< the defaults of the table
  std::uint64_t& operator[](Coefficient c) { return values[static_cast<std::size_t>(c)]; }
  std::uint64_t operator[](Coefficient c) const { return values[static_cast<std::size_t>(c)]; }
  std::array<std::uint64_t, kCoefficients> values;
};

}  // namespace psim::energy
