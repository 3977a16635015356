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

}  // namespace

Process::Process(ElfImage image, const ProcessOptions& options)
    : executor(memory, *this, options.fma, options.simd),
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
      timed_(options.timed) {
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
  if (options.simd.pes != 0) stack.flags |= kFlagSimdPes;
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
  host_signals.catch_terminating();
  if (options.threads.cores > 1) executor.order_atomics();
  threads.on_timeout = [this](Thread& thread) {
    switch_to(thread);
    set_result(executor.state(), CallResult::fail(ETIMEDOUT));
  };
}

Process::~Process() = default;

bool Process::run(std::uint64_t instructions) {
  while (!ending_) {
    const std::uint64_t done = executor.state().instructions;
    if (done >= instructions) return true;
    if (!executor.run(std::min(kSlice, instructions - done))) break;
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
  if (gather_signals()) deliver_signals(nullptr);
  update_deadline();
  return alive();
}

void Process::update_clock() {
  if (timed_) return;
  const std::uint64_t executed = executor.state().instructions - from_instructions_;
  clock.set_core_cycles(from_cycle_ + static_cast<std::uint64_t>(static_cast<unsigned __int128>(executed) *
                                                                 pace_ / kCyclePace));
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
  if (!threaded() || threads.live() == 1) return exit(status);
  const std::uint64_t word = threads.current().clear_child_tid;
  threads.end_current();
  // Threads that join wait for this word.
  if (word != 0 && memory.store<std::uint32_t>(word, 0))
    threads.wake(word, 1, ~std::uint32_t{0}, clock.core_cycles());
}

void Process::repeat_later() {
  constexpr std::uint64_t kInterval = 1000;  // ns
  Thread& thread = threads.current();
  thread.polls = true;
  // Each polling thread must have looked once more after the last change.
  repetitions_ = threads.others_wait() ? repetitions_ + 1 : 0;
  if (repetitions_ > 2 * threads.live()) return end_in_deadlock();
  CpuState& state = executor.state();
  state.npc = state.pc, state.pc -= 4;
  threads.sleep(clock.core_cycles_at(clock.now() + kInterval));
}

void Process::interrupt(Thread& thread, int error) {
  Thread& before = threads.current();
  switch_to(thread);
  set_result(executor.state(), CallResult::fail(error));
  switch_to(before);
  threads.resume(thread, clock.core_cycles());
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

namespace {

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
  threads.keep_current();
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
  const Restart restart{state.pc - 4, state.pc, state.r[8]};
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
  update_deadline();
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

void Process::deliver_signals(const Restart* restart) {
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
