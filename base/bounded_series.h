// SPDX-License-Identifier: Apache-2.0
// A series over time whose memory does not grow with the run. Neighbouring pieces are joined in pairs
// whenever their number would exceed a limit.
#pragma once

#include <cstddef>
#include <vector>

namespace psim {

/// A series of pieces. `join(into, next)` makes one piece of two neighbours, of which `next` is the later
/// one.
template <class Piece, void (*join)(Piece& into, const Piece& next)>
class BoundedSeries {
 public:
  /// Keeps at most `most` pieces, an even number.
  explicit BoundedSeries(std::size_t most) : most_(most) {}

  void add(const Piece& piece) {
    if (!pieces_.empty() && in_last_ < joined_) {
      join(pieces_.back(), piece);
      ++in_last_;
      return;
    }
    if (pieces_.size() == most_) {
      for (std::size_t i = 0; i < most_ / 2; ++i) {
        pieces_[i] = pieces_[2 * i];
        join(pieces_[i], pieces_[2 * i + 1]);
      }
      pieces_.resize(most_ / 2);
      joined_ *= 2;
    }
    pieces_.push_back(piece);
    in_last_ = 1;
  }
  /// Joins `piece` to the last piece, if there is one.
  void add_to_last(const Piece& piece) {
    if (pieces_.empty())
      add(piece);
    else
      join(pieces_.back(), piece);
  }
  /// Returns the pieces in order of time. Each but the last is made of the same number of added pieces.
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  const std::size_t most_;
  std::vector<Piece> pieces_;
  std::size_t joined_ = 1, in_last_ = 0;  // added pieces in each piece but the last, and in the last
};

}  // namespace psim
