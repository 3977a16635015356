// SPDX-License-Identifier: Apache-2.0
#include "ranks/fibers/fibers.h"

#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <cstring>

#include "ranks/libc/crash_signals.h"
#include "ranks/libc/libc_state.h"
#include "ranks/program/sanitizer.h"

namespace psim::net {

namespace ctx = boost::context::detail;

namespace {

// AddressSanitizer, psim's own or the program's, keeps a shadow of each stack and must be notified of every
// switch.
const SanitizerRuntime& sanitizer = SanitizerRuntime::get();

inline void announce_switch(void** save, const void* bottom, std::size_t size) {
  if (sanitizer.start_switch) [[unlikely]]
    sanitizer.start_switch(save, bottom, size);
}
inline void finish_switch(void* saved, const void** bottom, std::size_t* size) {
  if (sanitizer.finish_switch) [[unlikely]]
    sanitizer.finish_switch(saved, bottom, size);
}

// Clears the shadow of frames that were left without a return, for the next user of the stack.
inline void unpoison_frames(const void* from, const std::byte* top) {
  if (sanitizer.unpoison) [[unlikely]]
    sanitizer.unpoison(from, static_cast<std::size_t>(top - static_cast<const std::byte*>(from)));
}

Fibers::Outcome decode(void* data) {
  return static_cast<Fibers::Outcome>(reinterpret_cast<std::uintptr_t>(data));
}
void* encode(Fibers::Outcome outcome) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(outcome));
}

}  // namespace

Fibers* Fibers::served_ = nullptr;

// The first frame of a fiber.
struct Fibers::Entry {
  static void run(ctx::transfer_t transfer) {
    auto& fibers = *static_cast<Fibers*>(transfer.data);
    fibers.host_ = transfer.fctx;
    finish_switch(nullptr, &fibers.host_stack_, &fibers.host_stack_size_);
    fibers.body_(fibers.context_, fibers.running_);
    fibers.leave();
  }
};

// AddressSanitizer marks the frames of each stack, so that each fiber then needs its own.
Fibers::Fibers(std::uint32_t count, Bytes stack, Body body, void* context, std::uint32_t swapped)
    : stacks_(swapped == 0 || sanitizer.start_switch ? count : count - swapped + 1, stack),
      fibers_(count),
      swapped_(sanitizer.start_switch ? 0 : swapped),
      body_(body),
      context_(context),
      exceptions_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())),
      errno_(&errno) {
  if (!swapped_.empty()) stacks_.take();
  crash_signals::install(this, &Fibers::on_signal);
}

Fibers::~Fibers() {
  if (served_ == this) served_ = nullptr;
  crash_signals::remove(this);
  for (const Fiber& fiber : fibers_)
    if (fiber.context) unpoison_frames(fiber.context, stacks_.top(fiber.stack));
}

Fibers::Outcome Fibers::resume(std::uint32_t index) {
  Fiber& fiber = fibers_[index];
  enter(index);
  if (!fiber.context) {
    fiber.stack = index < swapped_.size() ? 0 : stacks_.take();
    fiber.context = ctx::make_fcontext(stacks_.top(fiber.stack), stacks_.usable(), &Entry::run);
  }
  const ExceptionState host_exceptions = *exceptions_;
  const int host_error = *errno_;
  *exceptions_ = fiber.exceptions;
  *errno_ = fiber.error;
  running_ = index;
  served_ = this;
  void* fake_stack = nullptr;
  announce_switch(&fake_stack, stacks_.bottom(fiber.stack), stacks_.usable());
  const ctx::transfer_t transfer = ctx::jump_fcontext(fiber.context, this);
  finish_switch(fake_stack, nullptr, nullptr);
  running_ = kNone;
  fiber.exceptions = *exceptions_;
  fiber.error = *errno_;
  *exceptions_ = host_exceptions;
  *errno_ = host_error;

  Outcome outcome = decode(transfer.data);
  if (outcome == Outcome::Crashed) {
    unpoison_frames(stacks_.bottom(fiber.stack), stacks_.top(fiber.stack));
    fiber.context = nullptr;  // its registers are on the signal stack
    return outcome;
  }
  fiber.context = transfer.fctx;
  // The context is stored at the stack pointer of the switch.
  if (stacks_.overrun(fiber.stack, transfer.fctx)) {
    crash_ = Crash{};
    crash_.stack_overflow = true;
    return Outcome::Crashed;
  }
  if (outcome == Outcome::Ended) {
    unpoison_frames(transfer.fctx, stacks_.top(fiber.stack));
    release(index);
  }
  return outcome;
}

/// Forgets a fiber that has ended.
void Fibers::release(std::uint32_t index) {
  if (index >= swapped_.size()) {
    stacks_.give_back(fibers_[index].stack);
  } else {
    saved_ -= swapped_[index].room;
    swapped_[index] = Saved{};
    if (entered_ == index) entered_ = kNone;
  }
  fibers_[index] = Fiber{};
}

void Fibers::exchange(std::uint32_t index) {
  std::byte* const top = stacks_.top(0);
  if (entered_ != kNone && fibers_[entered_].context != nullptr) {
    const auto* const pointer = static_cast<const std::byte*>(fibers_[entered_].context);
    Saved& out = swapped_[entered_];
    const auto size = static_cast<std::size_t>(top - pointer);
    if (size > out.room || 2 * size < out.room) {
      // The depths of a program's calls differ little: room for the next ones too, or else they would leave
      // holes between the records of ranks.
      const std::size_t grain = std::max<std::size_t>(64, std::bit_floor(size) / 2);
      saved_ -= out.room;
      out.room = static_cast<std::uint32_t>((size + grain - 1) / grain * grain);
      most_saved_ = std::max(most_saved_, saved_ += out.room);
      out.bytes = std::make_unique_for_overwrite<std::byte[]>(out.room);
    }
    std::memcpy(out.bytes.get(), pointer, size);
    out.size = static_cast<std::uint32_t>(size);
  }
  const Saved& in = swapped_[index];
  if (in.size != 0) std::memcpy(top - in.size, in.bytes.get(), in.size);
  entered_ = index;
}

std::byte* Fibers::saved(std::uint32_t index, std::byte* address, std::uint64_t bytes) {
  const Saved& out = swapped_[index];
  const auto below_top = static_cast<std::size_t>(stacks_.top(0) - address);
  if (below_top <= out.size) return out.bytes.get() + (out.size - below_top);
  unused_.assign(std::max<std::size_t>(unused_.size(), bytes), std::byte{});  // below its stack pointer
  return unused_.data();
}

void Fibers::suspend() {
  Fiber& fiber = fibers_[running_];
  do {
    announce_switch(&fiber.fake_stack, host_stack_, host_stack_size_);
    const ctx::transfer_t transfer = ctx::jump_fcontext(host_, encode(Outcome::Suspended));
    host_ = transfer.fctx;
    finish_switch(fiber.fake_stack, &host_stack_, &host_stack_size_);
    if (trace_.frames != nullptr) [[unlikely]]
      trace_.count = crash_signals::unwind_here(*trace_.frames);
  } while (trace_.frames != nullptr);
}

std::uint32_t Fibers::trace(std::uint32_t index, std::array<void*, 32>& frames) {
  if (!fibers_[index].context) return 0;
  trace_ = {&frames, 0};
  resume(index);
  trace_.frames = nullptr;
  return trace_.count;
}

void Fibers::drop(std::uint32_t index) {
  Fiber& fiber = fibers_[index];
  if (!fiber.context) return;
  unpoison_frames(fiber.context, stacks_.top(fiber.stack));
  release(index);
}

void Fibers::leave() {
  leave_with(Outcome::Ended);
  __builtin_unreachable();
}

void Fibers::leave_with(Outcome outcome) {
  announce_switch(nullptr, host_stack_, host_stack_size_);
  ctx::jump_fcontext(host_, encode(outcome));
}

void Fibers::on_signal(int signal, siginfo_t* info, void* context) {
  Fibers* fibers = served_;
  if (!fibers || fibers->running_ == kNone) {
    if (fibers && fibers->crash_.signal != 0) crash_signals::report_damage(signal);
    if (signal == SIGSEGV || signal == SIGBUS) crash_signals::report_missing_buffer(*info, context);
    crash_signals::give_up(signal);  // the simulator's own fault: terminate as usual
    return;
  }
  if (deliver_to_rank(signal, info, context)) return;
  fibers->record(signal, *info, context);
  fibers->leave_with(Outcome::Crashed);
}

void Fibers::record(int signal, const siginfo_t& info, void* context) {
  crash_ = Crash{};
  crash_.signal = signal;
  const bool has_address = signal != SIGABRT && info.si_code > 0;
  if (has_address) crash_.address = info.si_addr;
  crash_.stack_overflow = has_address && stacks_.in_guard(fibers_[running_].stack, info.si_addr);
  crash_.frames = crash_signals::unwind(context, crash_.frame);
}

}  // namespace psim::net
