// SPDX-License-Identifier: Apache-2.0
// The state of a core that functional execution keeps warm, as words: tags of the caches, TLBs, streams of
// the prefetcher, branch history and return stack. Nothing is under way in the core when it is copied.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/trace/varint.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {

/// Replaces `words` by the state of the core.
void copy_warm_state(WiredCore& core, std::vector<std::uint64_t>& words);
/// Gives the core the state. Throws UserError unless it is one of a core with equal caches and tables.
void set_warm_state(WiredCore& core, std::span<const std::uint64_t> words);

/// Appends the words that differ between two states of one core.
void put_difference(isa::trace::Bytes& bytes, std::span<const std::uint64_t> from,
                    std::span<const std::uint64_t> to);
/// Applies a difference. Throws isa::trace::BadTrace.
void apply_difference(isa::trace::Reader& bytes, std::span<std::uint64_t> words);

}  // namespace psim::pipeline
