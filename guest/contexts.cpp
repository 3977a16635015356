// SPDX-License-Identifier: Apache-2.0
#include "guest/contexts.h"

#include "guest/guest_struct.h"
#include "guest/initial_stack.h"
#include "guest/process.h"
#include "guest/signal_frame.h"

namespace psim::isa {

namespace {

// struct ucontext of asm/uctx.h; the mcontext is 16-aligned because of its quad registers.
constexpr std::size_t kContextMask = 16, kGregs = 32, kFp = kGregs + 19 * 8, kI7 = kFp + 8, kFpu = kI7 + 16,
                      kFsr = kFpu + 256, kFprs = kFsr + 8, kGsr = kFprs + 8, kEnabled = kFpu + 290,
                      kBytes = kFpu + 304;
constexpr std::size_t greg(unsigned index) { return kGregs + index * 8; }
enum : unsigned { kRegTstate, kRegPc, kRegNpc, kRegY, kRegG1 };
constexpr std::size_t kFrameFp = 14 * 8, kFrameI7 = 15 * 8;  // %i6 and %i7 in a window save area

void bad_address(Process& p) {
  p.signals.raise({.number = sig::kSegv, .code = sig::code::kNotMapped, .address = p.executor.state().r[8]});
  p.deliver_due();
}

}  // namespace

void get_context(Process& p) {
  CpuState& state = p.executor.state();
  GuestStruct<kBytes> out;
  if (!p.executor.flush_windows() || !store_current_window(p.memory, state)) return bad_address(p);
  out.put64(kContextMask, p.signals.blocked());
  out.put64(greg(kRegTstate), tstate(state));
  out.put64(greg(kRegPc), state.pc), out.put64(greg(kRegNpc), state.npc), out.put64(greg(kRegY), state.y);
  for (unsigned i = 1; i < 16; ++i) out.put64(greg(kRegG1 + i - 1), state.r[i]);
  out.put64(kFp, state.r[30]), out.put64(kI7, state.r[31]);
  if (state.r[8] % 8 != 0 || !out.write_to(p.memory, state.r[8])) bad_address(p);
}

void set_context(Process& p) {
  CpuState& state = p.executor.state();
  GuestStruct<kBytes> in;
  if (state.r[8] % 8 != 0 || !in.read_from(p.memory, state.r[8]) || !p.executor.flush_windows() ||
      !store_current_window(p.memory, state))
    return bad_address(p);
  const auto word = [&](std::size_t offset) { return in.get<std::uint64_t>(offset); };
  const std::uint64_t pc = word(greg(kRegPc)), npc = word(greg(kRegNpc));
  if ((pc | npc) % 4 != 0) return bad_address(p);
  if (state.r[9] != 0) {
    p.signals.set_blocked(word(kContextMask));
    if (p.family.has_others()) p.host_signals.follow_mask(p.signals.blocked());
  }
  state.pc = pc, state.npc = npc, state.y = word(greg(kRegY)) & 0xFFFFFFFF;
  const std::uint64_t flags = word(greg(kRegTstate));
  state.asi = static_cast<std::uint8_t>(flags >> 24);
  state.set_cc({static_cast<std::uint8_t>(flags >> 32 & 15), static_cast<std::uint8_t>(flags >> 36 & 15)});
  for (unsigned i = 1; i < 16; ++i)
    if (i != 7) state.r[i] = word(greg(kRegG1 + i - 1));  // %g7 is the thread's own
  const std::uint64_t frame = state.r[14] + kStackBias;
  if (!p.memory.store(frame + kFrameFp, word(kFp)) || !p.memory.store(frame + kFrameI7, word(kI7)))
    return bad_address(p);
  p.executor.forget_windows();
  if (!load_current_window(p.memory, state)) return bad_address(p);
  if (in.get<std::uint8_t>(kEnabled) != 0) {
    for (unsigned i = 0; i < 32; ++i) state.f[i] = word(kFpu + i * 8);
    p.executor.write_fsr(word(kFsr));
    state.gsr = word(kGsr);
  }
  p.deliver_due();
}

}  // namespace psim::isa
