// SPDX-License-Identifier: Apache-2.0
// Stackful coroutines that the simulator resumes one at a time on one host thread. A switch saves, for each
// fiber, the callee-saved registers, the floating-point control words, errno and the exceptions in flight.
//
// Swapped fibers share the addresses of one stack. The bytes that a suspended fiber uses there are saved when
// another one needs the stack, so it takes no whole pages and page tables.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/units.h"
#include "ranks/fibers/stacks.h"

namespace psim::net {

/// The signal by which a fiber stopped itself.
struct Crash {
  int signal = 0;               ///< SIGSEGV, …; 0 if only the canary shows it
  void* address = nullptr;      ///< faulting address, if the signal has one
  bool stack_overflow = false;  ///< the address is the fiber's guard page, or its canary is gone
  std::uint32_t frames = 0;
  std::array<void*, 32> frame{};  ///< program counters, innermost first, as far as they could be unwound
};

class Fibers {
 public:
  enum class Outcome : std::uint8_t {
    Suspended,
    Ended,   ///< the body returned, or leave() was called; the stack is free for the next
    Crashed  ///< see crash(); nothing of this fiber may run again
  };
  using Body = void (*)(void* context, std::uint32_t fiber);
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Makes `count` fibers, each of which calls body(context, fiber) when first resumed. While any Fibers
  /// live, the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by a fiber end it as Crashed. The
  /// first `swapped` fibers share a stack.
  Fibers(std::uint32_t count, Bytes stack, Body body, void* context, std::uint32_t swapped = 0);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs a fiber until it suspends or ends. Not to be called from within a fiber.
  Outcome resume(std::uint32_t fiber);
  /// Puts a swapped fiber's stack at its addresses. Cheap if it is there. Not to be called while another of
  /// these fibers runs.
  void enter(std::uint32_t fiber) {
    if (fiber < swapped_.size() && fiber != entered_) exchange(fiber);
  }
  /// Returns where the `bytes` bytes are that `fiber` addresses as `address`; valid until the next enter() or
  /// resume().
  std::byte* memory(std::uint32_t fiber, void* address, std::uint64_t bytes) {
    auto* const at = static_cast<std::byte*>(address);
    if (swapped_.empty() || fiber == entered_ || at < stacks_.bottom(0) || at >= stacks_.top(0)) [[likely]]
      return at;
    return saved(fiber, at, bytes);
  }
  /// Returns the most bytes in which swapped fibers have been saved at a time; else the bytes of the pages
  /// that the stacks have taken.
  std::uint64_t stack_bytes() const { return swapped_.empty() ? stacks_.resident() : most_saved_; }
  void prefetch(std::uint32_t fiber) const {
    __builtin_prefetch(&fibers_[fiber]);
    if (fiber < swapped_.size()) __builtin_prefetch(&swapped_[fiber]);
  }
  /// Suspends the running fiber; returns when it is resumed.
  void suspend();
  /// Returns the end of the running fiber's stack.
  const std::byte* stack_top() const { return stacks_.top(fibers_[running_].stack); }
  /// Ends the running fiber without unwinding its stack.
  [[noreturn]] void leave();
  /// Ends a suspended fiber without unwinding its stack; does nothing without one. Not to be called from
  /// within a fiber.
  void drop(std::uint32_t fiber);

  /// Stores the frames of a suspended fiber, as in Crash; returns their number. Not to be called from within
  /// a fiber.
  std::uint32_t trace(std::uint32_t fiber, std::array<void*, 32>& frames);

  /// Returns the running fiber, or kNone outside resume().
  std::uint32_t running() const { return running_; }
  const Crash& crash() const { return crash_; }
  const Stacks& stacks() const { return stacks_; }

 private:
  struct ExceptionState {  // __cxa_eh_globals of the C++ ABI
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };
  struct Fiber {
    void* context = nullptr;  // fcontext_t, null before the first and after the last resume
    ExceptionState exceptions;
    int error = 0;
    std::uint32_t stack = kNone;
    void* fake_stack = nullptr;  // AddressSanitizer's
  };
  struct Saved {
    std::unique_ptr<std::byte[]> bytes;  // up to the top of the stack
    std::uint32_t size = 0, room = 0;
  };

  static void on_signal(int signal, siginfo_t* info, void* context);
  void record(int signal, const siginfo_t& info, void* context);
  void leave_with(Outcome outcome);
  void exchange(std::uint32_t fiber);
  std::byte* saved(std::uint32_t fiber, std::byte* address, std::uint64_t bytes);
  void release(std::uint32_t fiber);
  struct Entry;
  friend struct Entry;

  static Fibers* served_;  ///< the object whose fiber runs
  Stacks stacks_;
  std::vector<Fiber> fibers_;
  std::vector<Saved> swapped_;     // the first fibers
  std::uint32_t entered_ = kNone;  // the one of them whose stack is at its addresses
  std::vector<std::byte> unused_;  // see saved()
  std::uint64_t saved_ = 0, most_saved_ = 0;
  Body body_;
  void* context_;
  std::uint32_t running_ = kNone;
  void* host_ = nullptr;  // fcontext_t of resume()
  const void* host_stack_ = nullptr;
  std::size_t host_stack_size_ = 0;
  ExceptionState* exceptions_;
  int* errno_;
  Crash crash_;
  struct {
    std::array<void*, 32>* frames = nullptr;  // requested for the fiber that is resumed
    std::uint32_t count = 0;
  } trace_;
};

}  // namespace psim::net
