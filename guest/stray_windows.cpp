// SPDX-License-Identifier: Apache-2.0
#include "guest/stray_windows.h"

#include "guest/guest_struct.h"
#include "isa/state/windows.h"

namespace psim::isa {

namespace {

constexpr std::size_t kPointers = StrayWindows::kMost * 128, kCount = StrayWindows::kMost * 136;

bool store(GuestMemory& memory, std::uint64_t stack_pointer, const std::array<std::uint64_t, 16>& registers) {
  const std::uint64_t area = stack_pointer + kStackBias;
  if (stack_pointer % 2 == 0 || area % 8 != 0) return false;
  GuestStruct<kWindowBytes> out;
  for (unsigned n = 0; n < 16; ++n) out.put64(n * 8, registers[n]);
  return out.write_to(memory, area);
}

}  // namespace

StrayWindows::StrayWindows(const CpuState& processor, GuestMemory& memory) {
  CpuState state = processor;
  while (state.canrestore != 0) {
    if (spill_oldest(state, memory).done) continue;
    const unsigned oldest = window_after(state.cwp, state.cansave + 2u), after = window_after(oldest);
    registers_[count_] = state.windows[oldest];
    stack_pointer_[count_++] = after == state.cwp ? state.r[30] : state.windows[after][14];
    ++state.cansave, --state.canrestore;
  }
  std::array<std::uint64_t, 16> current;
  for (unsigned n = 0; n < 16; ++n) current[n] = state.r[16 + n];
  if (store(memory, state.r[14], current)) return;
  registers_[count_] = current, stack_pointer_[count_++] = state.r[14];
}

bool StrayWindows::write_to(GuestMemory& memory, std::uint64_t address) const {
  GuestStruct<kBytes> out;
  for (unsigned w = 0; w < count_; ++w) {
    for (unsigned n = 0; n < 16; ++n) out.put64(w * 128 + n * 8, registers_[w][n]);
    out.put64(kPointers + w * 8, stack_pointer_[w]);
  }
  out.put32(kCount, count_);
  return out.write_to(memory, address);
}

bool StrayWindows::put_back(GuestMemory& memory, std::uint64_t address) {
  GuestStruct<kBytes> in;
  if (address % 8 != 0 || !in.read_from(memory, address)) return false;
  const std::uint32_t count = in.get<std::uint32_t>(kCount);
  if (count > kMost) return false;
  for (unsigned w = 0; w < count; ++w) {
    std::array<std::uint64_t, 16> registers;
    for (unsigned n = 0; n < 16; ++n) registers[n] = in.get<std::uint64_t>(w * 128 + n * 8);
    if (!store(memory, in.get<std::uint64_t>(kPointers + w * 8), registers)) return false;
  }
  return true;
}

}  // namespace psim::isa
