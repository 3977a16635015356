// SPDX-License-Identifier: Apache-2.0
#include "guest/signal_frame.h"

#include "guest/guest_struct.h"
#include "guest/initial_stack.h"
#include "guest/simd_frame.h"
#include "guest/stray_windows.h"
#include "isa/state/simd_state.h"

namespace psim::isa {

namespace {

// struct rt_signal_frame: sparc_stackf, siginfo, pt_regs, fpu_save, stack, mask, rwin_save.
constexpr std::size_t kInfo = 192, kRegisters = kInfo + 128, kFpuSave = kRegisters + 160,
                      kStack = kFpuSave + 8, kMask = kStack + 24, kWindowSave = kMask + 8,
                      kFrameBytes = kWindowSave + 8;
// struct pt_regs
constexpr std::size_t kTstate = kRegisters + 128, kPc = kTstate + 8, kNpc = kPc + 8, kY = kNpc + 8,
                      kMagic = kY + 4;
/// A bit of the saved %tstate that V9 leaves free: the frame ends with a simd_frame.
constexpr std::uint64_t kTstateSimd = std::uint64_t{1} << 63;
constexpr std::uint64_t kRegisterMagic = 0x57AC6C00;
// __siginfo_fpu_t
constexpr std::size_t kFrameFsr = 256, kFrameGsr = kFrameFsr + 8, kFrameFprs = kFrameGsr + 8,
                      kFpuBytes = kFrameFprs + 8;
constexpr std::uint8_t kFprsFef = 4;

std::uint64_t stack_pointer(const CpuState& state, const SignalState& signals, const SignalAction& action) {
  const std::uint64_t sp = state.r[14] + kStackBias;
  const bool switches =
      (action.flags & kSaOnStack) && signals.alternate.bytes != 0 && !signals.alternate.contains(sp);
  return switches ? signals.alternate.base + signals.alternate.bytes : sp;
}

}  // namespace

std::uint64_t tstate(const CpuState& state) {
  constexpr std::uint64_t kUserPstate = 0x92;  // PEF, IE, TSO as qemu shows it
  return std::uint64_t{state.cc().byte()} << 32 | std::uint64_t{state.asi} << 24 | kUserPstate << 8 |
         state.cwp;
}

bool store_current_window(GuestMemory& memory, const CpuState& state) {
  for (unsigned i = 0; i < 16; ++i)
    if (!memory.store<std::uint64_t>(state.r[14] + kStackBias + i * 8, state.r[16 + i])) return false;
  return true;
}

bool load_current_window(const GuestMemory& memory, CpuState& state) {
  std::uint64_t value[16];
  for (unsigned i = 0; i < 16; ++i)
    if (!memory.load(state.r[14] + kStackBias + i * 8, value[i])) return false;
  for (unsigned i = 0; i < 16; ++i) state.r[16 + i] = value[i];
  return true;
}

bool write_siginfo(GuestMemory& memory, std::uint64_t address, const SignalInfo& info) {
  GuestStruct<128> bytes;
  bytes.put32(0, static_cast<std::uint32_t>(info.number));
  bytes.put32(4, static_cast<std::uint32_t>(info.error));
  bytes.put32(8, static_cast<std::uint32_t>(info.code));
  const bool fault = info.code > 0 && info.code < sig::code::kKernel;
  if (info.number == sig::kChld && fault) {
    bytes.put32(16, info.pid), bytes.put32(20, info.uid), bytes.put32(24, info.value);
  } else if (fault) {
    bytes.put64(16, info.address), bytes.put32(24, static_cast<std::uint32_t>(info.trap));
  } else if (info.code == sig::code::kTimer) {
    bytes.put32(16, static_cast<std::uint32_t>(info.timer));
    bytes.put32(20, static_cast<std::uint32_t>(info.overrun));
    bytes.put64(24, info.value);
  } else {
    bytes.put32(16, info.pid), bytes.put32(20, info.uid), bytes.put64(24, info.value);
  }
  return bytes.write_to(memory, address);
}

bool push_signal_frame(GuestMemory& memory, Executor& executor, SignalState& signals,
                       const SignalInfo& info) {
  CpuState& state = executor.state();
  const SignalAction action = signals.action(info.number);
  const StrayWindows stray(state, memory);

  const std::uint64_t old_sp = state.r[14] + kStackBias;
  const bool save_fpu = state.fprs & kFprsFef;
  const bool save_pes = executor.simd().pes != 0 && simd_frame::needed(executor.simd());
  const std::uint64_t bytes = kFrameBytes + (save_fpu ? kFpuBytes : 0) +
                              (stray.any() ? StrayWindows::kBytes : 0) +
                              (save_pes ? simd_frame::bytes(executor.simd()) : 0);
  const std::uint64_t frame = (stack_pointer(state, signals, action) - bytes) & ~std::uint64_t{15};
  // A frame that would extend below the alternate stack overflows it.
  if (signals.alternate.contains(old_sp) && !signals.alternate.contains(frame)) return false;

  GuestStruct<kFrameBytes> out;
  // The handler's window begins as a copy of the interrupted one.
  for (unsigned i = 0; i < 16; ++i) out.put64(i * 8, state.r[16 + i]);
  for (unsigned i = 0; i < 16; ++i) out.put64(kRegisters + i * 8, state.r[i]);
  out.put64(kTstate, tstate(state) | (save_pes ? kTstateSimd : 0));
  out.put64(kPc, state.pc), out.put64(kNpc, state.npc);
  out.put32(kY, state.y), out.put32(kMagic, kRegisterMagic);
  const std::uint64_t fpu = save_fpu ? frame + kFrameBytes : 0;
  out.put64(kFpuSave, fpu);
  out.put64(kStack, signals.alternate.base), out.put64(kStack + 16, signals.alternate.bytes);
  out.put32(kStack + 8, signals.alternate.bytes == 0 ? 2 : signals.alternate.contains(old_sp) ? 1 : 0);
  out.put64(kMask, signals.take_mask_to_restore());
  const std::uint64_t windows = stray.any() ? frame + kFrameBytes + (save_fpu ? kFpuBytes : 0) : 0;
  out.put64(kWindowSave, windows);
  if (!out.write_to(memory, frame)) return false;
  if (windows != 0 && !stray.write_to(memory, windows)) return false;

  if (save_fpu) {
    GuestStruct<kFpuBytes> save;
    for (unsigned i = 0; i < 32; ++i) save.put64(i * 8, state.f[i]);
    save.put64(kFrameFsr, executor.read_fsr()), save.put64(kFrameGsr, state.gsr),
        save.put64(kFrameFprs, state.fprs);
    if (!save.write_to(memory, fpu)) return false;
  }
  const std::uint64_t pes =
      frame + kFrameBytes + (save_fpu ? kFpuBytes : 0) + (stray.any() ? StrayWindows::kBytes : 0);
  if (save_pes && !simd_frame::write_to(memory, pes, executor.simd())) return false;
  SignalInfo shown = info;
  if (!(action.flags & kSaSigInfo)) shown = {.number = info.number, .code = sig::code::kNoInfo};
  if (!write_siginfo(memory, frame + kInfo, shown)) return false;

  state.r[14] = frame - kStackBias;
  state.r[8] = static_cast<std::uint64_t>(info.number);
  state.r[9] = state.r[10] = frame + kInfo;  // the third argument is a sigcontext that begins with siginfo
  state.r[15] = action.restorer;
  state.pc = action.handler, state.npc = action.handler + 4;
  executor.forget_windows();
  simd_frame::begin_handler(executor.simd());

  std::uint64_t blocked = signals.blocked() | action.mask;
  if (!(action.flags & kSaNoDefer)) blocked |= sig::bit(info.number);
  signals.set_blocked(blocked);
  if (action.flags & kSaResetHand) signals.action(info.number).handler = kSigDefault;
  return true;
}

bool pop_signal_frame(GuestMemory& memory, Executor& executor, SignalState& signals) {
  CpuState& state = executor.state();
  const std::uint64_t frame = state.r[14] + kStackBias;
  GuestStruct<kFrameBytes> in;
  if (frame % 8 != 0 || !in.read_from(memory, frame)) return false;
  const auto word = [&](std::size_t offset) { return in.get<std::uint64_t>(offset); };
  const std::uint64_t pc = word(kPc), npc = word(kNpc);
  if ((pc | npc) % 4 != 0 || (word(kRegisters + 14 * 8) + kStackBias) % 8 != 0) return false;
  const std::uint64_t fpu = word(kFpuSave);
  GuestStruct<kFpuBytes> saved;
  if (fpu != 0 && (fpu % 8 != 0 || !saved.read_from(memory, fpu))) return false;
  const std::uint64_t windows = word(kWindowSave);
  if (windows != 0 && !StrayWindows::put_back(memory, windows)) return false;

  const std::uint64_t saved_state = word(kTstate);
  simd_frame::begin_handler(executor.simd());
  if (executor.simd().pes != 0 && (saved_state & kTstateSimd) != 0) {
    const std::uint64_t pes =
        frame + kFrameBytes + (fpu != 0 ? kFpuBytes : 0) + (windows != 0 ? StrayWindows::kBytes : 0);
    if (!simd_frame::put_back(memory, pes, executor.simd())) return false;
  }

  executor.forget_windows();  // the handler's frames are gone
  for (unsigned i = 1; i < 16; ++i) state.r[i] = word(kRegisters + i * 8);
  state.pc = pc, state.npc = npc;
  state.y = in.get<std::uint32_t>(kY);
  state.asi = static_cast<std::uint8_t>(saved_state >> 24);
  state.set_cc(
      {static_cast<std::uint8_t>(saved_state >> 32 & 15), static_cast<std::uint8_t>(saved_state >> 36 & 15)});
  if (fpu != 0) {
    const auto fprs = static_cast<std::uint8_t>(saved.get<std::uint64_t>(kFrameFprs));
    for (unsigned i = 0; i < 32; ++i) state.f[i] = saved.get<std::uint64_t>(i * 8);
    executor.write_fsr(saved.get<std::uint64_t>(kFrameFsr));
    state.gsr = saved.get<std::uint64_t>(kFrameGsr);
    state.fprs = fprs;
  }
  if (!load_current_window(memory, state)) return false;
  signals.set_blocked(word(kMask));
  const std::uint32_t flags = in.get<std::uint32_t>(kStack + 8);
  if (flags <= 2) {
    signals.alternate.base = word(kStack), signals.alternate.bytes = flags == 2 ? 0 : word(kStack + 16);
    signals.alternate.flags = flags == 2 ? 2 : 0;
  }
  return true;
}

}  // namespace psim::isa
