// SPDX-License-Identifier: Apache-2.0
// A machine's parameters of the SIMD extension (paper 003 3.3 and table 1; docs/isa.md).
#pragma once

#include <cstdint>

namespace psim::isa {

inline constexpr unsigned kMostPes = 32;

/// The behaviour when one fcc or integer value is needed and the enabled PEs have several: in a branch, a
/// store of %fsr, or a move to an integer register.
enum class Divergence : std::uint8_t {
  Error,  ///< a precise exception that names the PEs
  Pe0,    ///< the lowest enabled PE decides
};

/// The behaviour when a program accesses SBM that an outstanding block transfer reads or writes.
enum class TransferRace : std::uint8_t {
  Error,   ///< a precise exception
  Ignore,  ///< the access sees the completed transfer
};

struct SimdConfig {
  std::uint32_t pes = 16;                   ///< SIMD-PEs: 0 (a core without), or even, 2–32
  std::uint64_t sbm_bytes = 64 << 10;       ///< SBM of each PE: a power of two, 4 KiB–1 MiB
  std::uint64_t data_window = 0xF000'0000;  ///< address of the data window: in the 2 MiB that are kept free
                                            ///< from 0xF0000000 on, a multiple of sbm_bytes
  Divergence divergence = Divergence::Error;
  TransferRace transfer_race = TransferRace::Error;
};

}  // namespace psim::isa
