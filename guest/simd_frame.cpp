// SPDX-License-Identifier: Apache-2.0
#include "guest/simd_frame.h"

#include <algorithm>
#include <vector>

#include "isa/simd/state_registers.h"

namespace psim::isa::simd_frame {

namespace {
using u64 = std::uint64_t;
constexpr u64 kFixedWords = 2 + 4;

u64 stack_words(const SimdState& s, u64 stack_bytes) { return stack_bytes / 8 * s.pes; }
u64 words(const SimdState& s, u64 stack_bytes) {
  return (kFixedWords + 32 * u64{s.pes} + 1) / 2 * 2 + stack_words(s, stack_bytes);
}
u64* stack_row(const SimdState& s) { return s.sbm_row(s.sbm_bytes - s.stack_bytes); }
}  // namespace

bool needed(const SimdState& s) {
  const auto set = [&](const SimdState::Lanes& lanes) {
    return std::any_of(lanes.begin(), lanes.begin() + s.pes, [](u64 lane) { return lane != 0; });
  };
  return s.on || s.mask != s.all || s.stack_bytes != 0 || std::ranges::any_of(s.f, set) ||
         std::ranges::any_of(s.fcc, set);
}

u64 bytes(const SimdState& s) { return 8 * words(s, s.stack_bytes); }

bool write_to(GuestMemory& memory, u64 address, const SimdState& s) {
  std::vector<u64> out{u64{s.mask} << 32 | s.on, read_simdstack(s)};
  for (const SimdState::Lanes& lanes : s.fcc) {
    u64& all = out.emplace_back(0);
    for (unsigned pe = 0; pe < s.pes; ++pe) all |= (lanes[pe] & 3) << 2 * pe;
  }
  for (const SimdState::Lanes& lanes : s.f) out.insert(out.end(), lanes.begin(), lanes.begin() + s.pes);
  out.resize(words(s, 0));
  out.insert(out.end(), stack_row(s), stack_row(s) + stack_words(s, s.stack_bytes));
  for (u64& word : out) word = big_endian(word);
  const u64 size = bytes(s);
  return memory.accessible(address, size, kWrite) == size &&
         memory.copy_in(address, std::as_bytes(std::span(out))) == size;
}

void begin_handler(SimdState& s) {
  s.on = false;
  if (s.pes == 0) return;
  s.set_mask(s.all);
  s.stack_window = s.stack_bytes = 0;
}

bool put_back(const GuestMemory& memory, u64 address, SimdState& s) {
  u64 window = 0;
  if (!memory.load(address + 8, window) || (window >> 48) * 64 > s.sbm_bytes) return false;
  std::vector<u64> in(words(s, (window >> 48) * 64));
  if (memory.copy_out(address, std::as_writable_bytes(std::span(in))) != 8 * in.size()) return false;
  for (u64& word : in) word = big_endian(word);
  if (!write_simdstack(s, in[1])) return false;
  const auto stack = in.begin() + static_cast<std::ptrdiff_t>(words(s, 0));
  std::copy(stack, in.end(), stack_row(s));
  s.on = (in[0] & 1) != 0;
  s.set_mask(static_cast<std::uint32_t>(in[0] >> 32) & s.all);
  auto from = in.begin() + 2;
  for (SimdState::Lanes& lanes : s.fcc) {
    const u64 all = *from++;
    for (unsigned pe = 0; pe < s.pes; ++pe) lanes[pe] = all >> 2 * pe & 3;
  }
  for (SimdState::Lanes& lanes : s.f) {
    std::copy_n(from, s.pes, lanes.begin());
    from += s.pes;
  }
  return true;
}

}  // namespace psim::isa::simd_frame
