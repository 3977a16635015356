// SPDX-License-Identifier: Apache-2.0
// What a machine has of the SIMD extension (paper 003 3.3 and table 1; docs/isa.md).
#pragma once

#include <cstdint>

namespace psim::isa {

inline constexpr unsigned kMostPes = 32;

/// What happens when a branch or a store of %fsr needs one fcc, or an integer register one value, and the
/// enabled PEs have several.
enum class Divergence : std::uint8_t {
  Error,  ///< a precise exception that names the PEs
  Pe0,    ///< the lowest enabled PE decides
};

/// What happens when a program touches SBM that a block transfer, not yet waited for, reads or writes.
enum class TransferRace : std::uint8_t {
  Error,   ///< a precise exception
  Ignore,  ///< the access sees the transfer done
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
