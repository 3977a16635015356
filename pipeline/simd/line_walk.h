// SPDX-License-Identifier: Apache-2.0
// The lines of memory that a block transfer touches, in the order in which its engine requests them: along
// the shorter of its two strides first, so that neighbouring pieces share a line. A line with several
// successive pieces is requested once; so are data that every PE receives alike (stride 0).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isa/state/instruction_source.h"

namespace psim::pipeline {

class LineWalk {
 public:
  LineWalk() = default;
  /// Begins the walk. `line_bytes` is a power of two.
  LineWalk(const isa::BlockTransfer& transfer, std::uint32_t line_bytes)
      : base_(transfer.memory), bytes_(transfer.row_bytes), line_(line_bytes) {
    for (std::uint32_t pes = transfer.pes; pes; pes &= pes - 1)
      pe_[pes_++] = static_cast<std::uint8_t>(std::countr_zero(pes));
    if (transfer.pe_stride == 0 && pes_ > 1) pes_ = 1;
    rows_ = transfer.row_stride == 0 && transfer.rows > 1 ? 1 : transfer.rows;
    pe_stride_ = transfer.pe_stride;
    row_stride_ = transfer.row_stride;
    rows_inside_ = magnitude(row_stride_) < magnitude(pe_stride_);
    done_ = pes_ == 0 || rows_ == 0 || bytes_ == 0;
    if (!done_) enter_piece();
  }

  bool done() const { return done_; }
  /// Returns the address of the next line. Call it only if not done().
  std::uint64_t take() {
    const std::uint64_t taken = next_;
    do advance();
    while (!done_ && next_ == taken);
    return taken;
  }

 private:
  static std::uint64_t magnitude(std::int64_t stride) {
    return stride < 0 ? ~static_cast<std::uint64_t>(stride) + 1 : static_cast<std::uint64_t>(stride);
  }
  void enter_piece() {
    const std::uint64_t begin = base_ + pe_[at_pe_] * static_cast<std::uint64_t>(pe_stride_) +
                                at_row_ * static_cast<std::uint64_t>(row_stride_);
    next_ = begin & ~std::uint64_t{line_ - 1};
    last_ = (begin + bytes_ - 1) & ~std::uint64_t{line_ - 1};
  }
  void advance() {
    if (next_ != last_) {
      next_ += line_;
      return;
    }
    if (rows_inside_) {
      if (++at_row_ == rows_) at_row_ = 0, ++at_pe_;
    } else {
      if (++at_pe_ == pes_) at_pe_ = 0, ++at_row_;
    }
    done_ = at_pe_ == pes_ || at_row_ == rows_;
    if (!done_) enter_piece();
  }

  std::uint64_t base_ = 0, next_ = 0, last_ = 0;
  std::int64_t pe_stride_ = 0, row_stride_ = 0;
  std::uint32_t bytes_ = 0, line_ = 64, pes_ = 0, rows_ = 0, at_pe_ = 0, at_row_ = 0;
  bool rows_inside_ = false, done_ = true;
  std::array<std::uint8_t, 32> pe_{};
};

}  // namespace psim::pipeline
