// SPDX-License-Identifier: Apache-2.0
// A series over time of which memory does not grow with the run: neighbours are joined, two and two, whenever
// there would be over a given number of pieces.
#pragma once

#include <cstddef>
#include <vector>

namespace psim {

/// `join(into, next)` makes of two neighbours, the later of them `next`, one piece.
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
  /// Makes it part of the last piece, if there is one.
  void add_to_last(const Piece& piece) {
    if (pieces_.empty())
      add(piece);
    else
      join(pieces_.back(), piece);
  }
  /// In order of time. Every one but the last is made of equally many.
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  const std::size_t most_;
  std::vector<Piece> pieces_;
  std::size_t joined_ = 1, in_last_ = 0;  // added ones in each piece but the last, and in that
};

}  // namespace psim
