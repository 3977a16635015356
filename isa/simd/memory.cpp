// SPDX-License-Identifier: Apache-2.0
#include "isa/simd/memory.h"

namespace psim::isa::simd {

namespace {
/// Returns word `n` of the register that begins at Action::rd. A double is two words, the high half first.
u32& register_word(Context* c, const Action* a, unsigned n, unsigned bytes, unsigned pe) {
  typedef u32 Word __attribute__((may_alias));
  auto* const row = row_at(c, a->rd) + (n / 2) * sizeof(SimdState::Lanes) + 8 * pe;
  return reinterpret_cast<Word*>(row)[bytes == 4 ? 0 : 1 - n % 2];
}
}  // namespace

bool load_agreed(Context* c, const Action* a, u64 offset, unsigned bytes, u64& value) {
  if (!may_access(c, a, offset, bytes, bytes, false)) return false;
  const SimdState& s = c->simd;
  const unsigned first = s.first();
  value = read_sbm(s, first, offset, bytes);
  const u64* const row = s.sbm_row(offset);
  u64 difference = 0;
  for (unsigned pe = 0; pe < s.pes; ++pe) difference |= row[pe] ^ row[first];
  if (difference == 0) [[likely]]
    return true;
  u32 others = 0;
  for (u32 left = s.mask; left != 0; left &= left - 1)
    if (const auto pe = static_cast<unsigned>(__builtin_ctz(left)); read_sbm(s, pe, offset, bytes) != value)
      others |= 1u << pe;
  const unsigned lowest = others == 0 ? first : static_cast<unsigned>(__builtin_ctz(others));
  return may_differ(c, a, value, others, read_sbm(s, lowest, offset, bytes));
}

const Action* load_slowly(Context* c, const Action* a, u64 address, unsigned bytes) {
  SimdState& s = c->simd;
  const unsigned words = bytes / 4;
  const u64 offset = s.window_offset(address);
  if (offset != SimdState::kNoWindow) {
    if (!may_access(c, a, offset, bytes, bytes == 64 ? 64 : 4, false)) return nullptr;
    for (u32 left = s.mask; left != 0; left &= left - 1) {
      const auto pe = static_cast<unsigned>(__builtin_ctz(left));
      for (unsigned n = 0; n < words; ++n)
        register_word(c, a, n, bytes, pe) = static_cast<u32>(read_sbm(s, pe, offset + 4 * n, 4));
    }
    return a + 1;
  }
  u32 word[16];
  if (bytes == 64 && address % 64 != 0) return bad_access(c, a, address, 64, kRead);
  for (unsigned n = 0; n < words; ++n)
    if (!c->memory->load<u32>(address + 4 * n, word[n])) return bad_access(c, a, address + 4 * n, 4, kRead);
  for (u32 left = s.mask; left != 0; left &= left - 1)
    for (unsigned n = 0; n < words; ++n)
      register_word(c, a, n, bytes, static_cast<unsigned>(__builtin_ctz(left))) = word[n];
  return a + 1;
}

const Action* store_slowly(Context* c, const Action* a, u64 address, unsigned bytes) {
  SimdState& s = c->simd;
  const u64 offset = s.window_offset(address);
  if (offset == SimdState::kNoWindow) return trouble(c, a, FaultKind::PeStore, address);
  if (!may_access(c, a, offset, bytes, bytes == 64 ? 64 : 4, true)) return nullptr;
  for (u32 left = s.mask; left != 0; left &= left - 1) {
    const auto pe = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned n = 0; n < bytes / 4; ++n)
      write_sbm(s, pe, offset + 4 * n, 4, register_word(c, a, n, bytes, pe));
  }
  return a + 1;
}

}  // namespace psim::isa::simd
