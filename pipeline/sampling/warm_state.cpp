// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/warm_state.h"

#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

namespace {
void visit(WiredCore& core, StateWords& words) {
  core.instruction_cache.warm_state(words);
  core.data_cache.warm_state(words);
  core.memory.l2.warm_state(words);
  core.core.fetch().history().warm_state(words);
  core.core.fetch().return_stack().warm_state(words);
}
}  // namespace

void copy_warm_state(WiredCore& core, std::vector<std::uint64_t>& words) {
  words.clear();
  StateWords out(words, core.core.now());
  visit(core, out);
}

void set_warm_state(WiredCore& core, std::span<const std::uint64_t> words) {
  StateWords in(words, core.core.now());
  visit(core, in);
  if (!in.done()) throw UserError("the warm state is too long");
}

void put_difference(isa::trace::Bytes& bytes, std::span<const std::uint64_t> from,
                    std::span<const std::uint64_t> to) {
  std::uint64_t count = 0, last = 0;
  for (std::size_t i = 0; i < to.size(); ++i) count += from[i] != to[i];
  isa::trace::put(bytes, count);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i] == to[i]) continue;
    isa::trace::put(bytes, i - last);
    isa::trace::put(bytes, isa::trace::zigzag(to[i] - from[i]));
    last = i;
  }
}

void apply_difference(isa::trace::Reader& bytes, std::span<std::uint64_t> words) {
  std::uint64_t at = 0;
  for (std::uint64_t left = bytes.number(words.size(), "the number of changed words"); left != 0; --left) {
    at += bytes.number(words.size(), "the place of a changed word");
    if (at >= words.size()) throw isa::trace::BadTrace("the place of a changed word is out of range");
    words[at] += isa::trace::unzigzag(bytes.number());
  }
}

}  // namespace psim::pipeline
