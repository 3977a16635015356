// SPDX-License-Identifier: Apache-2.0
#include "isa/simd/transfer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "isa/state/access.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/simd.h"

namespace psim::isa {

std::string_view text_of(DescriptorProblem problem) {
  constexpr std::array<std::string_view, 11> kTexts{"memory address is not a multiple of 8",
                                                    "PE stride is not a multiple of 8",
                                                    "row stride is not a multiple of 8",
                                                    "SBM offset is not a multiple of 8",
                                                    "SBM pitch is not a multiple of 8",
                                                    "row length is 0 or not a multiple of 8",
                                                    "number of rows is 0",
                                                    "PE mask is 0 or names PEs that the core does not have",
                                                    "tag is not 0–15",
                                                    "transfer reaches beyond the end of SBM",
                                                    "rows overlap in SBM"};
  return kTexts[static_cast<std::size_t>(problem)];
}

namespace simd {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

struct Wrong {
  DescriptorProblem problem;
  u64 value;
};
std::optional<Wrong> check(const SimdState& s, const BlockTransfer& t, u32 tag) {
  using enum DescriptorProblem;
  if (t.memory % 8 != 0) return Wrong{Memory, t.memory};
  if (t.pe_stride % 8 != 0) return Wrong{PeStride, static_cast<u64>(t.pe_stride)};
  if (t.row_stride % 8 != 0) return Wrong{RowStride, static_cast<u64>(t.row_stride)};
  if (t.sbm_offset % 8 != 0) return Wrong{SbmOffset, t.sbm_offset};
  if (t.sbm_pitch % 8 != 0) return Wrong{SbmPitch, t.sbm_pitch};
  if (t.row_bytes == 0 || t.row_bytes % 8 != 0) return Wrong{RowBytes, t.row_bytes};
  if (t.rows == 0) return Wrong{Rows, 0};
  if (t.pes == 0 || (t.pes & ~s.all) != 0) return Wrong{Mask, t.pes};
  if (tag >= kTransferTags) return Wrong{Tag, tag};
  if (t.rows > 1 && t.sbm_pitch < t.row_bytes) return Wrong{SbmOverlap, t.sbm_pitch};
  const u64 end = t.sbm_offset + u64{t.rows - 1} * t.sbm_pitch + t.row_bytes;
  if (end > s.sbm_bytes) return Wrong{SbmEnd, end};
  return std::nullopt;
}

u64 memory_of(const BlockTransfer& t, unsigned pe, u32 row) {
  return t.memory + u64{pe} * static_cast<u64>(t.pe_stride) + u64{row} * static_cast<u64>(t.row_stride);
}

/// Checks that every row of every PE is readable, or writable. Returns false if the block has been left.
bool accessible(Context* c, const Action* a, const BlockTransfer& t) {
  const std::uint8_t need = t.put ? kWrite : kRead;
  for (u32 left = t.pes; left != 0; left &= left - 1)
    for (u32 row = 0; row < t.rows; ++row) {
      const u64 address = memory_of(t, static_cast<unsigned>(__builtin_ctz(left)), row);
      const std::size_t done = c->memory->accessible(address, t.row_bytes, need);
      if (done == t.row_bytes) continue;
      bad_access(c, a, address + done, 8, need);
      return false;
    }
  return true;
}

bool overlap(const BlockTransfer& x, const BlockTransfer& y) {
  for (u32 i = 0; i < x.rows; ++i)
    for (u32 j = 0; j < y.rows; ++j) {
      const u64 a = x.sbm_offset + u64{i} * x.sbm_pitch, b = y.sbm_offset + u64{j} * y.sbm_pitch;
      if (a < b + y.row_bytes && b < a + x.row_bytes) return true;
    }
  return false;
}

/// Returns true, after a fault, if an outstanding transfer still has to read or write this part of SBM.
bool races(Context* c, const Action* a, const BlockTransfer& t) {
  const SimdState& s = c->simd;
  if (s.transfer_race == TransferRace::Ignore || !s.outstanding.moves_rows_of(t)) return false;
  for (const BlockTransfer& o : s.outstanding.all()) {
    if ((o.put && t.put) || (o.pes & t.pes) == 0 || !overlap(o, t)) continue;
    trouble(c, a, FaultKind::TransferRace, t.sbm_offset);
    c->fault.detail = o.tag;
    return true;
  }
  return false;
}

/// Returns true if the strides show that no two PEs have parts of memory that overlap.
bool apart(const BlockTransfer& t) {
  const auto size = [](std::int64_t stride) {
    return stride < 0 ? 0 - static_cast<u64>(stride) : static_cast<u64>(stride);
  };
  const u64 by_pe = size(t.pe_stride), by_row = t.rows == 1 ? 0 : size(t.row_stride);
  if (by_pe < t.row_bytes || by_pe >= GuestMemory::kLimit) return false;
  return by_pe >= (t.rows - 1) * by_row + t.row_bytes || by_row >= (kMostPes - 1) * by_pe + t.row_bytes;
}

/// Moves `doublewords` of one PE, between memory and the lanes of consecutive rows of SBM.
template <bool Put>
void move_some(std::byte* bytes, u64* lane, u32 doublewords, u32 pes) {
  for (u32 n = 0; n < doublewords; ++n, lane += pes, bytes += 8) {
    u64 raw;
    if (Put) {
      raw = big_endian(*lane);
      std::memcpy(bytes, &raw, 8);
    } else {
      std::memcpy(&raw, bytes, 8);
      *lane = big_endian(raw);
    }
  }
}

void move_data(Context* c, const BlockTransfer& t) {
  const SimdState& s = c->simd;
  const auto each_pe = [&](auto&& f) {
    for (u32 left = t.pes; left != 0; left &= left - 1) f(static_cast<unsigned>(__builtin_ctz(left)));
  };
  const auto move = [&](unsigned pe, u32 row, u32 at, u32 bytes) {
    std::byte* const host = c->memory->host_base() + memory_of(t, pe, row) + at;
    u64* const lane = s.sbm_row(t.sbm_offset + u64{row} * t.sbm_pitch + at) + pe;
    if (t.put)
      move_some<true>(host, lane, bytes / 8, s.pes);
    else
      move_some<false>(host, lane, bytes / 8, s.pes);
  };
  if (t.put)  // code may change
    each_pe([&](unsigned pe) {
      for (u32 row = 0; row < t.rows; ++row) c->memory->host(memory_of(t, pe, row), t.row_bytes, true);
    });
  if (t.put && !apart(t)) {
    each_pe([&](unsigned pe) {
      for (u32 row = 0; row < t.rows; ++row) move(pe, row, 0, t.row_bytes);
    });
    return;
  }
  // A line of the host has doublewords of several PEs, so these take turns.
  constexpr u32 kTurn = 256;
  for (u32 row = 0; row < t.rows; ++row)
    for (u32 at = 0; at < t.row_bytes; at += kTurn)
      each_pe([&](unsigned pe) { move(pe, row, at, std::min(kTurn, t.row_bytes - at)); });
}

[[gnu::noinline]] const Action* transfer(Context* c, const Action* a, u64 at, bool put) {
  SimdState& s = c->simd;
  if (s.pes == 0) return trouble(c, a, FaultKind::NoPes);
  std::array<u64, kDescriptorBytes / 8> d;
  for (unsigned n = 0; n < d.size(); ++n)
    if (!c->memory->load(at + 8 * n, d[n])) return bad_access(c, a, at + 8 * n, 8, kRead);
  const auto high = [&](unsigned n) { return static_cast<u32>(d[n] >> 32); };
  const auto low = [&](unsigned n) { return static_cast<u32>(d[n]); };
  const u32 tag = low(5);
  const BlockTransfer t{.put = put,
                        .tag = static_cast<std::uint8_t>(tag),
                        .pes = high(5),
                        .memory = d[0],
                        .pe_stride = static_cast<std::int64_t>(d[1]),
                        .row_stride = static_cast<std::int64_t>(d[2]),
                        .sbm_offset = high(3),
                        .sbm_pitch = low(3),
                        .row_bytes = high(4),
                        .rows = low(4)};
  if (const auto wrong = check(s, t, tag)) {
    trouble(c, a, FaultKind::Descriptor, wrong->value);
    c->fault.detail = static_cast<u32>(wrong->problem);
    return nullptr;
  }
  if (!accessible(c, a, t) || races(c, a, t)) return nullptr;
  // Code may change, including the running block.
  if (put && !c->alone) return do_alone(c, a);
  move_data(c, t);
  if (s.transfers.empty()) s.transfers.resize(SimdState::kTransfersKept);
  s.transfers[s.transfer_count++ % SimdState::kTransfersKept] = t;
  s.outstanding.begin(t);
  return a + 1;
}

template <bool Put, bool I>
PSIM_HANDLER(block_transfer) {
  const Action* const after = transfer(c, a, effective<I>(c, a), Put);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

PSIM_HANDLER(sync) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  c->simd.outstanding.end(tags_of(*c, a->word));
  PSIM_NEXT;
}

template <bool Put>
constexpr Execution kTransfers{
    {.handler = block_transfer<Put, false>, .immediate = block_transfer<Put, true>}};
constexpr Execution kWaits{{.handler = sync, .immediate = sync}};

}  // namespace

u32 tags_of(const Context& c, u32 word) {
  return static_cast<u32>(has_immediate(word) ? static_cast<u64>(simm13(word)) : c.r[rs2(word)]) &
         ((1u << kTransferTags) - 1);
}

}  // namespace simd

namespace table {
using namespace simd;

namespace {
// clang-format off
constexpr auto kSimdTransferRows = rows(
    // Block transfers: the descriptor is in memory, 48 bytes.
    pair<"11 00000 111000 sssss">("sbmget", kFlushR, kFlushI, kBlockTransfer, "PSIM transfers", kTransfers<false>, effect::kReadSimd, 48),
    pair<"11 00000 111001 sssss">("sbmput", kFlushR, kFlushI, kBlockTransfer, "PSIM transfers", kTransfers<true>, effect::kReadSimd, 48),
    pair<"11 00000 111010 00000">("sbmsync", kR2, kSir, kTransferSync, "PSIM transfers", kWaits)
);
// clang-format on
static_assert(disjoint(kSimdTransferRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> simd_transfer_rows() { return kSimdTransferRows; }

}  // namespace table
}  // namespace psim::isa
