// SPDX-License-Identifier: Apache-2.0
// The architectural state of the SIMD part: registers and local memory of every PE, and the state that
// selects them.
//
// A register is a row of lanes, one for each PE, and so is each doubleword of SBM. The work of one
// instruction on all PEs is thus a plain loop over adjacent values. Lanes above the last PE hold ±0 in
// registers: whole vectors can be computed with, and raise no exception there.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/state/handler.h"
#include "isa/state/outstanding_transfers.h"
#include "isa/state/simd_config.h"
#include "isa/table/cross_form.h"

namespace psim::isa {

/// An operation in the form that by_lanes() executes, PE by PE, on scalar registers.
struct LaneOp {
  Action action;
  std::uint8_t reads = 0, writes = 0;             ///< rows of `read` and `written`
  std::array<std::uint8_t, 8> read{}, written{};  ///< numbers of double registers / 2
  bool reads_fcc = false, writes_fcc = false;
  bool to_integer = false;  ///< one value for all PEs, see simd::may_differ()
  bool crosses = false;     ///< rs2 is row `from` of the partner, as `cross` defines, put into row `to`
  simd::Cross cross = simd::Cross::Odd;
  std::uint8_t from = 0, to = 0;
  std::uint64_t sign = 0;  ///< of the operand, in its lane
};

struct SimdState {
  using Lanes = std::array<std::uint64_t, kMostPes>;

  SimdState() = default;
  /// Resets to a core with `config.pes` PEs, all registers zero, in scalar state. `scalar`: the bindings of
  /// scalar state.
  void reset(const SimdConfig& config, const Bindings& scalar);

  /// %d0–%d62 of every PE; a single is half of a lane, as in CpuState::f.
  alignas(64) std::array<Lanes, 32> f{};
  alignas(64) std::array<Lanes, 4> fcc{};      ///< values 0–3
  alignas(64) Lanes enabled_lanes{};           ///< all ones for the enabled PEs, else 0
  alignas(64) std::array<Lanes, 8> scratch{};  ///< results before they are known to be valid

  std::uint32_t pes = 0;          ///< 0: a core without the extension
  std::uint32_t all = 0;          ///< mask of all PEs
  std::uint32_t mask = 0;         ///< of the enabled PEs; written by set_mask() only
  std::uint32_t enabled_pes = 0;  ///< their number
  bool on = false;                ///< SIMD state
  bool partial = false;           ///< some PE is not enabled
  Divergence divergence = Divergence::Error;
  TransferRace transfer_race = TransferRace::Error;

  std::uint64_t data_window = 0, sbm_bytes = 0;
  std::uint64_t stack_window = 0, stack_bytes = 0;  ///< backed by the last stack_bytes of every SBM

  /// Returns doubleword `offset` / 8 of PE 0; those of the other PEs follow it.
  std::uint64_t* sbm_row(std::uint64_t offset) const { return sbm.get() + (offset >> 3) * pes; }
  unsigned enabled() const { return enabled_pes; }
  /// Returns the lowest enabled PE; 0 if there is none.
  unsigned first() const { return mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask)); }
  /// Byte offset in SBM of `address` in one of the windows, or kNoWindow.
  static constexpr std::uint64_t kNoWindow = ~std::uint64_t{0};
  std::uint64_t window_offset(std::uint64_t address) const {
    if (address - data_window < sbm_bytes) return address - data_window;
    if (address - stack_window < stack_bytes) return sbm_bytes - stack_bytes + (address - stack_window);
    return kNoWindow;
  }
  void set_mask(std::uint32_t pe_mask);

  struct Free {
    void operator()(std::uint64_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::uint64_t[], Free> sbm;  ///< [doubleword][PE], in host order

  OutstandingTransfers outstanding;
  static constexpr std::size_t kTransfersKept = 2048;
  std::vector<BlockTransfer> transfers;  ///< the latest, by number modulo kTransfersKept
  std::uint64_t transfer_count = 0;

  const Bindings* scalar = nullptr;
  std::unordered_map<std::uint32_t, LaneOp> lane_ops;  ///< by word
};

}  // namespace psim::isa
