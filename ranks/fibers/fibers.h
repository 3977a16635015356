// SPDX-License-Identifier: Apache-2.0
// Stackful coroutines that the simulator resumes one at a time on one host thread. A switch saves, for each
// fiber, the callee-saved registers, the floating-point control words, errno and the exceptions in flight.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
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
  /// live, the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by a fiber end it as Crashed.
  Fibers(std::uint32_t count, Bytes stack, Body body, void* context);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs a fiber until it suspends or ends. Not to be called from within a fiber.
  Outcome resume(std::uint32_t fiber);
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

  static void on_signal(int signal, siginfo_t* info, void* context);
  void record(int signal, const siginfo_t& info, void* context);
  void leave_with(Outcome outcome);
  struct Entry;
  friend struct Entry;

  static Fibers* served_;  ///< the object whose fiber runs
  Stacks stacks_;
  std::vector<Fiber> fibers_;
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
