// SPDX-License-Identifier: Apache-2.0
// The warm state of a component as 64-bit words, in one direction: copied out of the component, or back into
// it. A component has one function for both, warm_state(), so that they cannot disagree:
//
//     void warm_state(StateWords& words) {
//       words.block(tags);
//       words.value(last, tags.size() - 1);
//     }
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"

namespace psim::pipeline {

class StateWords {
 public:
  /// Appends words to `out`. `now` is the core's present cycle.
  StateWords(std::vector<std::uint64_t>& out, std::uint64_t now) : out_(&out), now_(now) {}
  /// Reads the words of `in`.
  StateWords(std::span<const std::uint64_t> in, std::uint64_t now) : in_(in), now_(now) {}

  /// Copies a number of at most `most`. Throws UserError if a larger one is read.
  template <class T>
  void value(T& value, std::uint64_t most = ~std::uint64_t{0}) {
    if (out_ != nullptr) {
      out_->push_back(static_cast<std::uint64_t>(value));
      return;
    }
    const std::uint64_t word = take(1)[0];
    if (word > most) throw UserError("a number of the warm state is out of range");
    value = static_cast<T>(word);
  }
  /// Copies a cycle. The present one is 0, and so are all before it.
  void cycle(std::uint64_t& value) {
    std::uint64_t later = value > now_ ? value - now_ : 0;
    this->value(later, std::uint64_t{1} << 40);
    if (out_ == nullptr) value = later == 0 ? 0 : now_ + later;
  }
  void block(std::span<std::uint64_t> words) {
    if (out_ != nullptr)
      out_->insert(out_->end(), words.begin(), words.end());
    else
      take_into(words);
  }
  /// Copies small numbers, each at most `most`, several to a word.
  template <class T>
  void small(std::span<T> numbers, std::uint64_t most) {
    constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(T);
    constexpr unsigned kBits = 8 * sizeof(T);
    for (std::size_t first = 0; first < numbers.size(); first += kPerWord) {
      const std::span<T> part = numbers.subspan(first, std::min(kPerWord, numbers.size() - first));
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < part.size(); ++i) word |= std::uint64_t{part[i]} << (kBits * i);
      value(word);
      for (std::size_t i = 0; i < part.size(); ++i) {
        part[i] = static_cast<T>(word >> (kBits * i));
        if (part[i] > most) throw UserError("a number of the warm state is out of range");
      }
    }
  }
  /// Returns true once all words have been read.
  bool done() const { return in_.empty(); }

 private:
  std::span<const std::uint64_t> take(std::size_t count) {
    if (count > in_.size()) throw UserError("the warm state is too short");
    const std::span<const std::uint64_t> taken = in_.first(count);
    in_ = in_.subspan(count);
    return taken;
  }

  void take_into(std::span<std::uint64_t> words) {
    const std::span<const std::uint64_t> taken = take(words.size());
    std::copy(taken.begin(), taken.end(), words.begin());
  }

  std::vector<std::uint64_t>* out_ = nullptr;
  std::span<const std::uint64_t> in_;
  const std::uint64_t now_;
};

}  // namespace psim::pipeline
