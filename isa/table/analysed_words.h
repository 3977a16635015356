// SPDX-License-Identifier: Apache-2.0
// Analysed instruction words: one object per word and state, which stays where it is. Programs that share
// them have equal pointers for equal instructions.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "isa/table/analyse.h"

namespace psim::isa {

class AnalysedWords {
 public:
  /// `simd`: as executed in SIMD state.
  const StaticInstruction* at(std::uint32_t word, bool simd) {
    const auto [at, is_new] = words_[simd].try_emplace(word);
    if (is_new) at->second = analyse(word, simd);
    return &at->second;
  }

 private:
  std::array<std::unordered_map<std::uint32_t, StaticInstruction>, 2> words_;  // nodes never move
};

}  // namespace psim::isa
