// SPDX-License-Identifier: Apache-2.0
#include "guest/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "guest/call_names.h"
#include "guest/contexts.h"
#include "guest/errno_numbers.h"
#include "guest/fault_report.h"
#include "guest/initial_stack.h"
#include "guest/signal_frame.h"

namespace psim::isa {

namespace {

// Instructions between two checks for signals from outside (some tens of milliseconds).
constexpr std::uint64_t kSlice = 1u << 23;

SandboxOptions sandbox_of(const ProcessOptions& options) {
  SandboxOptions sandbox = options.sandbox;
  sandbox.fixed_directory = options.fixed_start;
  return sandbox;
}

/// Waits in the host and unblocks, for the wait only, the signals that the guest does not block. Waits at
/// most `time`; null: until a signal comes. Returns 0 after that time.
int wait_unmasked(std::uint64_t blocked, const struct timespec* time) {
  sigset_t mask;
  sigemptyset(&mask);
  for (int guest = 1; guest <= sig::kMost; ++guest)
    if (const int host = sig::to_host(guest); host != 0 && (blocked & sig::bit(guest)))
      sigaddset(&mask, host);
  return ::ppoll(nullptr, 0, time, &mask);
}

}  // namespace

Process::Process(ElfImage image, const ProcessOptions& options)
    : executor(memory, *this, options.fma, options.simd, options.words),
      clock(options.cycles_per_second),
      sandbox(sandbox_of(options)),
      start((options.fixed_start ? fixed_start : inherited_start)(options.arguments, options.environment,
                                                                  image.path, sandbox.start_directory())),
      files(options.fixed_start),
      random(options.seed),
      threads(options.threads, ProcessFamily::kFirst),
      working_directory(start.working_directory),
      stack_bytes(options.stack_bytes),
      umask(start.umask),
      program_path_(image.path),
      timed_(options.timed),
      on_chip_(options.timed && options.threads.cores > 1),
      one_thread_(options.one_thread) {
  command_name = std::filesystem::path(image.path).filename().string().substr(0, 15);
  limits.fill(~std::uint64_t{0});
  load_bias_ = space.load(image);
  space.map_stack(stack_bytes, image.executable_stack);

  InitialStack stack;
  stack.arguments = start.arguments, stack.environment = start.environment;
  stack.executable = start.file_name;
  stack.program_headers = image.program_headers ? image.program_headers + load_bias_ : 0;
  stack.program_header_count = image.program_header_count;
  stack.entry = image.entry + load_bias_;
  // flush, stbar, swap, multiply and divide, V9: glibc then makes the same choices as under qemu-sparc64.
  stack.hardware_capabilities = 0x1F;
  if (options.simd.pes != 0) stack.flags |= kFlagSimdPes | options.memory_flags;
  if (!options.timed && !options.fixed_start) stack.flags |= kFlagFunctional;
  stack.user = start.identity.user, stack.effective_user = start.identity.effective_user;
  stack.group = start.identity.group, stack.effective_group = start.identity.effective_group;
  for (std::uint64_t& word : stack.random) word = random.next();
  const std::uint64_t sp = stack.write(memory, space.stack_top(), stack_bytes);
  if (sp == 0)
    throw UserError(
        fmt::format("arguments and environment do not fit in the stack of {} bytes", stack_bytes));

  CpuState& state = executor.state();
  state.r[14] = sp;
  state.asi = 0x82;  // primary no-fault, as the kernel starts a process
  state.pc = image.entry + load_bias_, state.npc = state.pc + 4;
  update_deadline();
  executor.set_translation(options.translated_runs);
  host_signals.catch_terminating();
  signals.set_thread(threads.current().id);
  if (on_chip_) executor.order_atomics();
  threads.on_timeout = [this](Thread& thread, bool futex) {
    thread.restart.reset();
    if (!futex && thread.awaited == 0) return;
    switch_to(thread);
    if (thread.awaited != 0) signals.end_temporary_mask();
    thread.awaited = 0;
    set_result(executor.state(), CallResult::fail(futex ? ETIMEDOUT : EAGAIN));
  };
}

Process::~Process() = default;

bool Process::run(std::uint64_t instructions) {
  while (!ending_) {
    const std::uint64_t done = this->instructions();
    if (done >= instructions) return true;
    std::uint64_t most = std::min(kSlice, instructions - done);
    if (threads.several()) {
      most = std::min(most, begin_turn());
      if (most == 0) continue;
    }
    if (!executor.run(most)) break;
    if (executor.paused()) return true;
    if (HostSignals::any()) deliver_due();
  }
  return false;
}

bool Process::deliver_due() {
  update_clock();
  if (const std::uint64_t address = memory.take_lost_page()) {
    space.lose(address);
    force_signal({.number = sig::kBus, .code = sig::code::kNoObject, .address = address},
                 fmt::format("access to address {:#x}, which another process has cut off its file", address));
  }
  if (gather_signals()) {
    // A thread that was interrupted in its call has executed nothing since.
    const std::optional<CallRestart> call = std::exchange(threads.current().restart, {});
    deliver_signals(call && call->npc == executor.state().pc ? &*call : nullptr);
  }
  hand_out_signals();
  update_deadline();
  return alive();
}

/// Makes the thread whose turn it is the current one. Returns the instructions of its turn; 0: time has
/// passed instead, or the process has ended.
std::uint64_t Process::begin_turn() {
  update_clock();
  const ThreadTurns::Turn turn = turns_.next(local_cycle());
  if (turn.thread == nullptr) {
    let_time_pass(turn.until);
    return 0;
  }
  switch_to(*turn.thread);
  from_cycle_ = turn.from, from_instructions_ = executor.state().instructions;
  update_deadline();
  if (signals.deliverable() && !deliver_due()) return 0;
  return turn.until - turn.from;
}

/// Lets the time pass in which no thread can run: until cycle `next`, or until a timer is due. If nothing of
/// the program will end that time, waits for a signal from outside.
void Process::let_time_pass(std::uint64_t next) {
  next = std::min(next, timers.next_core_cycle());
  if (next != SimulatedClock::kNever) {
    clock.set_core_cycles(next);
    from_cycle_ = clock.core_cycles(), from_instructions_ = executor.state().instructions;
    gather_signals();
    return hand_out_signals();
  }
  const bool for_signal = std::any_of(threads.all().begin(), threads.all().end(), [](const auto& thread) {
    return thread->state == Thread::State::Asleep;
  });
  if (!family.others_live() && (start.identity.fixed || !for_signal)) return end_in_deadlock();
  if (!family.others_live())
    report_once("stuck", "every thread waits; only a signal from outside can wake one");
  const HeldSignals held;  // except in wait_unmasked
  gather_signals();
  hand_out_signals();
  if (threads.any_ready()) return;
  // The end of a relative need not send a signal.
  constexpr struct timespec kWhileRelativesLive { 0, 100'000'000 };
  wait_unmasked(blocked_by_all(), family.others_live() ? &kWhileRelativesLive : nullptr);
  gather_signals();
  hand_out_signals();
}

/// Returns the signals that every thread blocks.
std::uint64_t Process::blocked_by_all() const {
  std::uint64_t blocked = signals.blocked();
  for (const auto& thread : threads.all())
    if (thread->state != Thread::State::Ended && thread.get() != &threads.current())
      blocked &= thread->signals.blocked;
  return blocked;
}

void Process::update_clock() {
  if (!timed_) clock.set_core_cycles(local_cycle());
}

void Process::update_deadline() {
  // For a timed process, each step checks instead: its deadlines are cycles, not instructions.
  if (timed_) return;
  const std::uint64_t cycle = timers.next_core_cycle();
  if (cycle == SimulatedClock::kNever) {
    executor.set_deadline(cycle);
    return;
  }
  const unsigned __int128 left = cycle > from_cycle_ ? cycle - from_cycle_ : 0;
  const unsigned __int128 instructions = (left * kCyclePace + pace_ - 1) / pace_ + from_instructions_;
  executor.set_deadline(
      static_cast<std::uint64_t>(std::min<unsigned __int128>(instructions, SimulatedClock::kNever - 1)));
}

/// Lets a timed process run at `pace` from here on.
void Process::set_pace(std::uint64_t pace) {
  timed_ = false;
  from_cycle_ = clock.core_cycles(), from_instructions_ = executor.state().instructions, pace_ = pace;
  update_deadline();
}

bool Process::run_ahead(std::uint64_t instructions, std::uint64_t pace) {
  set_pace(pace);
  const bool lives = run(instructions);
  if (child_) run_child();
  update_clock();
  timed_ = true;
  executor.set_deadline(SimulatedClock::kNever);
  return lives;
}

void Process::run_child() {
  executor.set_warmer(nullptr);
  if (timed_) set_pace(kCyclePace);
  run(SimulatedClock::kNever);
  alive();
  std::abort();  // a child that has ended does not come back from alive()
}

bool Process::alive() {
  if (!ending_) return true;
  if (child_) {
    if (ending_->by_signal) die_by_signal(ending_->code);
    ::_exit(ending_->code);
  }
  return false;
}

void Process::exit(int status) {
  if (ending_) return;
  ending_ = Ending{false, status & 0xFF};
  threads.notify_all(clock.core_cycles());
}

void Process::die(int guest_signal) {
  if (ending_) return;
  ending_ = Ending{true, guest_signal};
  threads.notify_all(clock.core_cycles());
}

void Process::exit_thread(int status) {
  const bool leader = &threads.current() == &threads.leader();
  if (leader) leader_status_ = status;
  if (threads.live() == 1) return exit(leader_status_);
  release_robust_futexes();
  Thread& thread = threads.current();
  threads.end_current();
  executor.release_strand(thread.strand);
  // Threads that join wait for this word.
  if (thread.clear_child_tid != 0 && memory.store<std::uint32_t>(thread.clear_child_tid, 0))
    threads.wake(thread.clear_child_tid, 1, ~std::uint32_t{0}, clock.core_cycles());
}

/// Marks the futexes that the current thread holds, and wakes one waiter of each: exit_robust_list() of
/// kernel/futex/core.c.
void Process::release_robust_futexes() {
  constexpr int kMost = 2048;  // ROBUST_LIST_LIMIT
  const std::uint64_t head = threads.current().robust_list;
  std::uint64_t entry, offset, pending;
  if (head == 0 || !memory.load(head, entry) || !memory.load(head + 8, offset) ||
      !memory.load(head + 16, pending))
    return;
  for (int n = 0; n < kMost && (entry & ~std::uint64_t{1}) != head; ++n) {
    const std::uint64_t held = entry;
    if (!memory.load(held & ~std::uint64_t{1}, entry)) break;
    if ((held ^ pending) > 1 && !release_robust_futex(held, offset, false)) break;
  }
  if (pending > 1) release_robust_futex(pending, offset, true);
}

/// Marks the futex of one entry, whose lowest bit stands for priority inheritance. `pending`: the thread was
/// about to take or to release it. Returns false if it is not accessible.
bool Process::release_robust_futex(std::uint64_t entry, std::uint64_t offset, bool pending) {
  using namespace futex_word;
  const bool inherits = entry & 1;
  const std::uint64_t address = (entry & ~std::uint64_t{1}) + offset;
  std::uint32_t word;
  if (address % 4 != 0 || !memory.load(address, word)) return false;
  const bool held = (word & kOwner) == threads.current().id;
  if (held && inherits) return release_pi_futex(address, kOwnerDied);
  if (held && !memory.store(address, (word & kWaiters) | kOwnerDied)) return false;
  if (held ? (word & kWaiters) != 0 : pending && word == 0)
    threads.wake(address, 1, ~std::uint32_t{0}, clock.core_cycles());
  return true;
}

bool Process::release_pi_futex(std::uint64_t address, std::uint32_t flags) {
  const Thread* const next = threads.waiter(address);
  threads.wake(address, 1, ~std::uint32_t{0}, clock.core_cycles());
  const std::uint32_t waiters = threads.waiter(address) != nullptr ? futex_word::kWaiters : 0;
  return memory.store(address, flags | (next == nullptr ? 0 : next->id | waiters));
}

bool Process::refuse_thread() {
  if (one_thread_.empty()) return false;
  ending_ = Ending{.code = kDeadlockStatus, .refusal = one_thread_};
  return true;
}

void Process::repeat_later() {
  constexpr std::uint64_t kInterval = 1000;  // ns
  Thread& thread = threads.current();
  thread.polls = true;
  // Each polling thread must have looked once more after the last change.
  repetitions_ = threads.others_wait() ? repetitions_ + 1 : 0;
  if (repetitions_ > 2 * threads.live()) {
    if (!family.others_live()) return end_in_deadlock();
    // Another process must act, in the time of the host.
    constexpr struct timespec kPause { 0, 100'000 };
    wait_unmasked(signals.blocked(), &kPause);
    repetitions_ = 0;
  }
  CpuState& state = executor.state();
  state.npc = state.pc, state.pc -= 4;
  threads.sleep(clock.core_cycles_at(clock.now() + kInterval));
}

void Process::interrupt(Thread& thread) {
  Thread& before = threads.current();
  switch_to(thread);
  CallResult result = CallResult::fail(EINTR);
  if (thread.awaited != 0) {
    if (const auto info = signals.take_of(thread.awaited)) {
      result = static_cast<std::uint64_t>(info->number);
      if (thread.awaited_at != 0 && !write_siginfo(memory, thread.awaited_at, *info))
        result = CallResult::fail(EFAULT);
    }
    signals.end_temporary_mask();
    thread.awaited = 0;
  }
  if (thread.left_at != 0) {
    const std::uint64_t left = thread.sleep_end - std::min(thread.sleep_end, clock.now());
    memory.store(thread.left_at, left / SimulatedClock::kSecond);
    memory.store(thread.left_at + 8, left % SimulatedClock::kSecond);
  }
  set_result(executor.state(), result);
  switch_to(before);
  threads.resume(thread, clock.core_cycles());
}

void Process::hand_out_signals() {
  if (!threads.several() || !signals.any_pending()) return;
  Thread& before = threads.current();
  std::uint64_t taken = 0;  // signals that a ready thread takes when it runs
  for (const auto& thread : threads.all())
    if (thread->state == Thread::State::Ready) {
      switch_to(*thread);
      taken |= signals.pending() & ~signals.blocked();
    }
  for (const auto& thread : threads.all()) {
    if (thread->state != Thread::State::Futex && thread->state != Thread::State::Asleep) continue;
    switch_to(*thread);
    const std::uint64_t own = signals.pending_for_thread();
    const std::uint64_t pending = (signals.pending() & ~(taken & ~own)) & ~signals.blocked();
    if (pending == 0) continue;
    interrupt(*thread);
    taken |= pending;
  }
  switch_to(before);
}

void Process::await_signal(std::uint64_t set, std::uint64_t until, std::uint64_t address) {
  Thread& thread = threads.current();
  thread.awaited = set, thread.awaited_at = address;
  signals.block_temporarily(signals.blocked() & ~set);
  threads.sleep(until == SimulatedClock::kNever ? Threads::kNever : clock.core_cycles_at(until));
}

void Process::end_in_deadlock() {
  if (ending_) return;
  const SourceMap sources(program_path_, load_bias_);
  std::string where;
  console::log("psim: deadlock: every thread waits, and nothing can wake one\n");
  for (const auto& thread : threads.all()) {
    if (thread->state == Thread::State::Ended) continue;
    switch_to(*thread);
    executor.flush_windows();
    call_ = thread->call;
    const std::string here =
        fmt::format("thread {} on core {} waits in {}", thread->id, thread->core, position());
    console::log("psim: {}\n{}", here, describe_callers(sources, memory, executor.state()));
    where += (where.empty() ? "" : "; ") + here;
  }
  ending_ = Ending{false, kDeadlockStatus, where};
  threads.notify_all(clock.core_cycles());
}

void Process::report_once(const std::string& key, const std::string& text) {
  if (reported_.insert(key).second) console::log("psim: {}\n", text);
}

// ---- waiting ----

bool Process::gather_signals() {
  timers.fire(signals);
  if (HostSignals::any())
    host_signals.collect(
        signals, start.identity.user,
        [](void* self, int host) { return static_cast<Process*>(self)->family.guest_of(host); }, this);
  return signals.deliverable();
}

CallResult Process::blocking(const std::function<std::int64_t()>& call) {
  update_clock();
  for (;;) {
    if (gather_signals()) return CallResult::interrupted();
    const std::uint64_t due = timers.next_real();
    const bool timer = due != SimulatedClock::kNever;
    if (timer) host_signals.interrupt_after(std::max<std::uint64_t>(1, due - std::min(due, clock.now())));
    const std::int64_t result = call();
    const int error = errno;
    if (timer) host_signals.interrupt_after(0);
    if (result >= 0) return static_cast<std::uint64_t>(result);
    if (error != EINTR) return CallResult::fail(error);
    if (timer && HostSignals::interrupted()) clock.sleep_until(due);
    if (gather_signals()) return CallResult::interrupted();
  }
}

bool Process::sleep_until(std::uint64_t time) {
  update_clock();
  if (threaded()) {
    if (gather_signals()) return false;
    if (clock.now() < time) threads.sleep(clock.core_cycles_at(time));
    return true;
  }
  const HeldSignals held;  // except in wait_unmasked
  for (;;) {
    if (gather_signals()) return false;
    const std::uint64_t now = clock.now();
    if (now >= time) return true;
    const std::uint64_t target = std::min(time, timers.next_real());
    // Processes that wait for one another by sleeping need host time to pass, too.
    if (family.has_others() && target > now) {
      const std::uint64_t span = target - now;
      const struct timespec pause {
        static_cast<time_t>(span / SimulatedClock::kSecond), static_cast<long>(span % SimulatedClock::kSecond)
      };
      if (wait_unmasked(signals.blocked(), &pause) != 0 && gather_signals()) return false;
    }
    clock.sleep_until(target);
  }
}

void Process::wait_for_signal() {
  update_clock();
  if (threaded()) {
    if (!gather_signals()) threads.sleep(Threads::kNever);
    return;
  }
  const HeldSignals held;  // except in wait_unmasked
  while (!gather_signals()) {
    if (alone()) {
      // A relative that has just ended may have sent a signal.
      constexpr struct timespec kNow {};
      wait_unmasked(signals.blocked(), &kNow);
      if (gather_signals() || stuck()) return;
    }
    const std::uint64_t due = timers.next_real();
    if (due != SimulatedClock::kNever && !family.has_others()) {
      clock.sleep_until(due);
      continue;
    }
    struct timespec wait {};
    if (due != SimulatedClock::kNever) {
      const std::uint64_t span = due - std::min(due, clock.now());
      wait.tv_sec = static_cast<time_t>(span / SimulatedClock::kSecond);
      wait.tv_nsec = static_cast<long>(span % SimulatedClock::kSecond);
    }
    const bool timer = due != SimulatedClock::kNever;
    if (wait_unmasked(signals.blocked(), timer ? &wait : nullptr) == 0 && timer) clock.sleep_until(due);
  }
}

/// Returns "pause() at PC 0x…, in main at a.c:12".
std::string Process::position() const {
  // A thread that repeats a call is before it.
  const std::uint64_t pc =
      const_cast<Process*>(this)->executor.state().pc - (threads.current().polls ? 0 : 4);
  return fmt::format("{}() at PC {:#x}{}", call_name(call_), pc, source_of(pc));
}

bool Process::stuck() {
  if (gather_signals()) return false;
  if (!start.identity.fixed) {
    report_once("stuck",
                fmt::format("the program waits in {}; only a signal from outside can wake it", position()));
    return false;
  }
  executor.flush_windows();
  const std::string where = position();
  const SourceMap sources(program_path_, load_bias_);
  console::log("psim: deadlock: the program waits in {}, and nothing can wake it\n{}", where,
               describe_callers(sources, memory, executor.state()));
  if (!ending_) ending_ = Ending{false, kDeadlockStatus, where};
  return true;
}

std::int64_t Process::fork_host(std::uint32_t& child) {
  sandbox.make_temporary();
  const bool first = !family.has_others();
  child = family.next_child();
  if (child == 0) return errno = EAGAIN, -1;
  if (first) host_signals.follow_mask(signals.blocked());
  std::fflush(nullptr);
  // All signals are blocked, since one for the child may come before it has dropped its parent's waits.
  sigset_t all, before;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0) {
    const int error = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) return errno = error, -1;
    family.record(child, pid);
    return pid;
  }
  family.become(child);
  threads.keep_current(child);
  signals.set_thread(child);
  on_chip_ = false;
  host_signals.forked();
  sandbox.disown_temporary();
  timers.clear();
  signals.clear_pending();
  space.forked();
  update_deadline();
  child_ = true;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return 0;
}

// ---- entry points of the executor ----

std::uint64_t Process::tick(const CpuState&) {
  update_clock();
  return clock.ticks();
}

bool Process::deadline(CpuState&) { return deliver_due(); }

bool Process::software_trap(CpuState& state, unsigned number) {
  switch (number) {
    case 0x6d:
      system_call(state);
      return alive();
    case 0x6e:
      get_context(*this);
      return alive();
    case 0x6f:
      set_context(*this);
      update_deadline();
      return alive();
    case 3:
      if (!executor.flush_windows())
        force_signal({.number = sig::kSegv, .code = sig::code::kNotMapped},
                     "ta 3: no stack for the register windows");
      return alive();
    case 4:  // clean windows: nothing to hide, as the program runs alone
      return true;
    default:
      break;
  }
  // The kernel reports these at the trap instruction.
  state.pc -= 4, state.npc = state.pc + 4;
  SignalInfo info{.number = sig::kIll, .code = sig::code::kIllTrap, .address = state.pc};
  if (number == 1) info.number = sig::kTrap, info.code = sig::code::kBreakpoint;
  if (number == 2) info.number = sig::kFpe, info.code = sig::code::kIntegerDivide;
  info.trap = static_cast<int>(number);
  force_signal(info, number == 0x10 ? std::string("a system call of 32-bit SPARC (ta 0x10)")
                                    : fmt::format("software trap {:#x}", number));
  return alive();
}

void Process::unknown_call(CpuState& state, std::uint64_t number, const Arguments& a) {
  const std::string_view name = call_name(number);
  report_once(fmt::format("call {}", number),
              fmt::format("system call {} ({}) is not implemented: arguments {:#x} {:#x} {:#x} {:#x} {:#x} "
                          "{:#x}, PC {:#x}{}; it returns ENOSYS",
                          number, name.empty() ? "unknown" : name, a[0], a[1], a[2], a[3], a[4], a[5],
                          state.pc - 4, source_of(state.pc - 4)));
}

namespace {

/// Returns true if a call may change the size of a mapped file. `growing`: whether calls that enlarge files
/// count.
bool changes_size(std::uint64_t number, bool growing) {
  constexpr std::uint64_t kCuts[] = {5,   8,   284,
                                     129, 130, 314};  // open, creat, openat, truncate, ftruncate, fallocate
  constexpr std::uint64_t kWrites[] = {4,   39,  68,  121,
                                       140, 325, 357, 359};  // write, sendfile, … copy_file_range
  const auto among = [&](const auto& numbers) {
    return std::find(std::begin(numbers), std::end(numbers), number) != std::end(numbers);
  };
  return among(kCuts) || (growing && among(kWrites));
}

}  // namespace

void Process::system_call(CpuState& state) {
  update_clock();
  const std::uint64_t number = call_ = threads.current().call = state.r[1];
  const Arguments arguments{state.r[8], state.r[9], state.r[10], state.r[11], state.r[12], state.r[13]};
  threads.current().restart.reset();
  const CallRestart restart = call_restart_ = {state.pc - 4, state.pc, state.r[8]};
  CallResult result = CallResult::fail(ENOSYS);
  if (const SystemCall* call = find_system_call(number))
    result = call->handler(*this, arguments);
  else
    unknown_call(state, number, arguments);
  if (ending_) return;
  if (space.maps_files() && (family.has_others() || changes_size(number, space.has_ends())))
    space.follow_files();
  if (const std::uint64_t address = memory.take_lost_page()) {
    space.lose(address);
    if (result.kind != CallResult::Kind::Done) result = CallResult::fail(EFAULT);
  }
  if (result.kind != CallResult::Kind::Done) set_result(state, result);
  if (gather_signals()) deliver_signals(result.kind == CallResult::Kind::Interrupted ? &restart : nullptr);
  hand_out_signals();
  update_deadline();
  if (!timed_ && threads.several()) executor.stop();
}

/// Stores the result of a call as libc expects it.
void Process::set_result(CpuState& state, const CallResult& result) {
  Ccr flags = state.cc();
  const bool error = result.kind != CallResult::Kind::Value;
  constexpr std::uint8_t kCarry = 1;
  flags.xcc = static_cast<std::uint8_t>((flags.xcc & ~kCarry) | (error ? kCarry : 0));
  flags.icc = static_cast<std::uint8_t>((flags.icc & ~kCarry) | (error ? kCarry : 0));
  state.set_cc(flags);
  state.r[8] = error ? static_cast<std::uint64_t>(guest_errno(result.error)) : result.value;
}

void Process::deliver_signals(const CallRestart* restart) {
  while (!ending_) {
    const std::optional<SignalInfo> info = signals.take();
    if (!info) break;
    if (signals.ignored(info->number)) continue;
    if (signals.has_handler(info->number)) {
      if (restart && (signals.action(info->number).flags & kSaRestart)) {
        CpuState& state = executor.state();
        state.pc = restart->pc, state.npc = restart->npc, state.r[8] = restart->o0;
      }
      restart = nullptr;
      if (!push_signal_frame(memory, executor, signals, *info)) {
        report_once("frame", fmt::format("no stack for the handler of {}", sig::name(info->number)));
        die(sig::kSegv);
      }
      if (family.has_others()) host_signals.follow_mask(signals.blocked());
      continue;
    }
    switch (sig::default_action(info->number)) {
      case sig::Default::Stop:
        ::raise(sig::to_host(info->number));  // stops psim, visibly to psim's and the guest's parent
        break;
      case sig::Default::Terminate:
        if (sig::dumps_core(info->number)) report_death(info->number, "not handled by the program");
        die(info->number);
        break;
      default:
        break;
    }
  }
}

std::string Process::source_of(std::uint64_t pc) const {
  return describe_source(SourceMap(program_path_, load_bias_), pc);
}

void Process::report_death(int number, const std::string& what, const std::string& remedy) {
  executor.flush_windows();
  const CpuState& state = executor.state();
  const SourceMap sources(program_path_, load_bias_);
  const std::string text =
      fmt::format("psim: {}: {} at PC {:#x}{}{}{}{}\n", sig::name(number), what, state.pc,
                  instruction_text(memory, state.pc), describe_source(sources, state.pc),
                  remedy.empty() ? "" : "; ", remedy) +
      describe_callers(sources, memory, state);
  console::log_text(text);
}

void Process::report_handled(const Fault& fault, const FaultDescription& description) {
  if (!reported_.insert(fmt::format("fault {} {:#x}", static_cast<int>(fault.kind), fault.pc)).second) return;
  console::log("psim: {}: {} at PC {:#x}{}{}{}{}; the program's handler gets the signal\n",
               sig::name(description.signal.number), description.text, fault.pc,
               instruction_text(memory, fault.pc), source_of(fault.pc),
               description.remedy.empty() ? "" : "; ", description.remedy);
}

void Process::force_signal(const SignalInfo& info, const std::string& what, const std::string& remedy) {
  update_clock();
  if (handles(info.number)) {
    if (push_signal_frame(memory, executor, signals, info)) {
      update_deadline();
      return;
    }
    console::log("psim: no stack for the handler of {}\n", sig::name(info.number));
  }
  report_death(info.number, what, remedy);
  die(info.number);
}

bool Process::fault(CpuState& state, const Fault& fault) {
  const FaultDescription description = describe_fault(memory, executor, fault);
  (void)state;
  // The handlers of Fortran's library print no reason, and a program can hardly find out the PEs' values.
  if (description.of_simd && handles(description.signal.number)) report_handled(fault, description);
  force_signal(description.signal, description.text, description.remedy);
  return alive();
}

}  // namespace psim::isa
