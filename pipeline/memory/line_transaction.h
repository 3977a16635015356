// SPDX-License-Identifier: Apache-2.0
// The generic payloads of the memory system: one line read or written, pooled, so that a miss allocates
// nothing once the pool has grown to the transactions in flight. Payloads carry no meaningful data, since
// timing is separate from function. Their data pointer refers to a scratch line, so that a target that copies
// data, such as another author's memory, may do so.
#pragma once

#include <array>
#include <deque>
#include <tlm>
#include <vector>

#include "pipeline/memory/memory_level.h"

namespace psim::pipeline {

/// An ignorable extension with fields that the base protocol lacks. A transaction without it is served alike.
struct LineInfo : tlm::tlm_extension<LineInfo> {
  AccessKind kind = AccessKind::Load;  ///< purpose of the request (reads)
  Level level = Level::Memory;         ///< set by the target: the level that had the line
  bool shared = false;                 ///< set by the target: other caches hold the line, too
  std::uint32_t user = 0;              ///< the initiator's own name for the request

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override;
  void free() override {}  // lives as long as its pooled payload
};

/// Owns payloads with a LineInfo each. acquire() returns one with one reference.
class TransactionPool : public tlm::tlm_mm_interface {
 public:
  static constexpr std::uint32_t kLargestLine = 256;
  TransactionPool() = default;
  TransactionPool(const TransactionPool&) = delete;
  TransactionPool& operator=(const TransactionPool&) = delete;

  tlm::tlm_generic_payload& acquire(tlm::tlm_command command, std::uint64_t address, std::uint32_t bytes);
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }
  std::size_t size() const { return all_.size(); }
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  struct Entry {
    explicit Entry(TransactionPool& pool);
    LineInfo info;  // outlives the payload, whose destructor frees its extensions
    std::array<unsigned char, kLargestLine> scratch{};
    tlm::tlm_generic_payload payload;
  };
  std::deque<Entry> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace psim::pipeline
