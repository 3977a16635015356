// SPDX-License-Identifier: Apache-2.0
#include "pipeline/core.h"

#include <fmt/format.h>

#include <cmath>

#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

namespace {
std::uint64_t period_of(double clock_hz) {
  return static_cast<std::uint64_t>(
      std::llround(1.0 / (clock_hz * sc_core::sc_get_time_resolution().to_seconds())));
}

[[noreturn, gnu::noinline, gnu::cold]] void stuck(const Core& core, std::uint64_t cycles,
                                                  std::uint64_t busy) {
  throw Deadlock(fmt::format("no instruction has committed for {} cycles, {} of them busy\n{}", cycles, busy,
                             core.describe()));
}
}  // namespace

Core::Core(sc_core::sc_module_name name, const CoreConfig& config, isa::InstructionSource& source,
           L1Cache& instruction_cache, L1Cache& data_cache, RunOptions options)
    : SelfTimed(name, period_of(config.clock_hz)),
      config_(config),
      options_(options),
      window_(config.window.commit_stack + config.fetch.instruction_buffer + config.fetch.width,
              config.stages),
      instruction_cache_(instruction_cache),
      data_cache_(data_cache),
      fetch_(config, window_, source, instruction_cache),
      rename_(config.window.integer_rename, config.window.fp_rename, config.simd.rename, window_),
      wake_up_(config.window.commit_stack, window_),
      pipes_(config),
      dispatch_(config, window_, wake_up_, pipes_, fetch_),
      operands_(config, window_, wake_up_, data_cache, dispatch_),
      transfers_(config.simd, data_cache.config().line_bytes, window_),
      decode_(config.window, window_, rename_, wake_up_, pipes_, operands_, transfers_, fetch_),
      commit_(config.window, window_, rename_, operands_, transfers_, fetch_, decode_, source, *this),
      stats_(config, now_, commit_.stats()),
      next_sample_(options.sample_cycles),
      next_interval_(options.interval ? options.interval : kNever) {
  find_next_stop();
  dispatch_.connect(operands_);
  if (options.grouped) return;
  SC_HAS_PROCESS(Core);
  SC_METHOD(activate);
}

void Core::attach(CoreObserver& observer) {
  observers_.push_back(&observer);
  if (recorder_ || !observer.needs_timelines()) return;
  recorder_ = std::make_unique<TimelineRecorder>(window_, observers_, instruction_cache_.config().latency);
  fetch_.set_recorder(recorder_.get());
  wake_up_.set_recorder(recorder_.get());
  dispatch_.set_recorder(recorder_.get());
  operands_.set_recorder(recorder_.get());
  decode_.set_recorder(recorder_.get());
  commit_.set_recorder(recorder_.get());
}

void Core::wake() {
  // The event is visible from the next cycle on.
  fetch_.unpark(std::max<std::uint64_t>(now_, sc_core::sc_time_stamp().value() / period_ + 1));
  wake_up();
}

void Core::call_at(std::uint64_t instructions, CommitListener& listener) {
  call_at_ = instructions;
  commit_listener_ = &listener;
  if (tape_ != nullptr) tape_->lose();  // a repeated stretch would not call it
}

/// Counts the busy cycles since the last progress: a commit, a line of a block transfer or a prefetched line,
/// whose numbers are finite. Waiting for an event that is known to occur, however late, is not a fault.
inline void Core::watch(bool busy) {
  if (commit_.last_commit() + 1 == now_) {
    busy_ = 0;
    return;
  }
  const std::uint64_t progress = transfers_.requests() + instruction_cache_.stats().prefetch_lookups +
                                 data_cache_.stats().prefetch_lookups;
  if (progress != progress_) {
    progress_ = progress;
    busy_ = 0;
  } else if ((busy_ += busy) > config_.watchdog) [[unlikely]] {
    stuck(*this, now_ - commit_.last_commit(), busy_);
  }
}

std::uint64_t Core::step_cycles() {
  std::uint64_t last = last_free_cycle();
  CycleRepeater::Turn turn{now_, last, repeater_ != nullptr && turn_ends_first()};
  std::uint64_t sent = traffic();
  while (now_ <= last) {
    if (repeater_ && (!repeater_->before_cycle(turn) || now_ > last)) break;
    const bool due = now_ >= due_;
    const bool active = cycle();
    if (const std::uint64_t now_sent = traffic(); now_sent != sent) {
      sent = now_sent;
      turn.last = last = last_free_cycle();  // an answer may arrive earlier
      if (repeater_) turn.may_end_early = turn_ends_first();
    }
    if (finished_) return kNever;
    watch(active || due);
    if (active) {
      idle_from_ = std::max(idle_from_, now_);
      due_ = now_;
    } else if (now_ >= idle_from_) {
      rest(last);
      if (asleep_) return due_;
    }
  }
  return now_;
}

/// Returns a count that grows whenever an L1 cache sends to the level below, or a store goes to a device.
std::uint64_t Core::traffic() const {
  const L1Stats& i = instruction_cache_.stats();
  const L1Stats& d = data_cache_.stats();
  return i.requests + i.write_backs + d.requests + d.write_backs + transfers_.requests() +
         operands_.device_stores();
}

/// Steps one cycle. Returns false if nothing in the core changed.
bool Core::cycle() {
  const std::uint64_t now = now_;
  ++stepped_;
  pipes_.tick(now);
  bool active = false;
  const auto instructions_arrived = [&](const Completion& line) {
    fetch_.line_arrived(line, now);
    active = true;
  };
  const auto data_arrived = [&](const Completion& line) {
    operands_.line_arrived(line, now);
    active = true;
  };
  if (tape_ == nullptr) [[likely]] {
    instruction_cache_.drain(now, instructions_arrived);
    data_cache_.drain(now, data_arrived);
  } else {
    tape_->at(now);
    instruction_cache_.drain_taped(now, instructions_arrived);
    data_cache_.drain_taped(now, data_arrived);
  }
  if (!transfers_.idle()) active |= transfers_.step(now);
  if (fetch_.redirect_due(now)) {
    flush(fetch_.redirect(now));
    active = true;
  }
  active |= commit_.step(now) != 0;  // W
  active |= operands_.step(now);     // Ms, store write
  active |= data_cache_.prefetch_streams(now);
  if (dispatch_.step(now)) {  // P
    active = true;
    idle_from_ = std::max(idle_from_, now + window_.stages.at_rest);
  }
  if (decode_.step(now)) {  // D
    active = true;
    idle_from_ = std::max(idle_from_, now + window_.stages.filled);
  }
  active |= fetch_.step(now);  // IA
  ++now_;
  if (now_ == next_stop_) [[unlikely]]
    at_stop();
  if (commit_.stats().instructions >= call_at_) [[unlikely]] {
    call_at_ = kNever;
    commit_listener_->on_committed();
  }
  if (fetch_.ended() && window_.head == window_.fetched) {
    finished_ = true;
    if (options_.interval) end_interval();
    if (call_) call_();
  }
  return active;
}

/// Returns the next cycle in which the core can change without an outside event, when nothing has changed in
/// the last one.
inline std::uint64_t Core::next_event() const {
  const std::uint64_t now = now_ - 1;
  return std::min({commit_.next_event(now), wake_up_.next_event(now), operands_.next_event(now),
                   fetch_.next_event(now), decode_.next_event(now), transfers_.next_event(now),
                   instruction_cache_.next_event_cycle(), data_cache_.next_event_cycle()});
}

std::uint64_t Core::step(std::uint64_t now) {
  if (now > now_) skip_to(now);
  const bool due = now_ >= due_;
  const bool active = cycle();
  if (finished_) return kNever;
  watch(active || due);
  if (active) {
    idle_from_ = std::max(idle_from_, now_);
    due_ = now_;
    return now_;
  }
  return now_ < idle_from_ ? now_ : next_step();
}

std::uint64_t Core::next_step() {
  if (finished_) return kNever;
  if (now_ < idle_from_) return now_;
  due_ = next_event();
  if (!options_.skip_idle) return now_;
  // The end of an interval does not wake a core that waits for an event of another module: see skip_to().
  const std::uint64_t interval = due_ == kNever || next_interval_ == kNever ? kNever : next_interval_ - 1;
  return std::max(now_, std::min({due_, interval, next_call_ == kNever ? kNever : next_call_ - 1}));
}

std::uint64_t Core::unpark(std::uint64_t from) {
  fetch_.unpark(std::max(from, now_));
  return next_step();
}

/// Finds the next cycle in which the core can change without an outside event, and jumps to it, at most to
/// `limit`.
void Core::rest(std::uint64_t limit) {
  due_ = next_event();
  if (fetch_.parked() && (due_ > limit || due_ == kNever) && drained()) {
    asleep_ = true;  // the cycles pass when it wakes
    return;
  }
  if (due_ == kNever && limit == kNever)
    throw Deadlock(fmt::format("no instruction has committed for {} cycles, and nothing is under way\n{}",
                               now_ - commit_.last_commit(), describe()));
  if (!options_.skip_idle) return;
  std::uint64_t next = std::min(due_, limit);
  next = std::min({next, next_interval_ - 1, next_call_ - 1});
  if (next > now_) skip_to(next);
}

/// Counts the cycles from now() to `next`, in which nothing changes. If an interval ends meanwhile, it ends
/// at now(), and these cycles are an interval of their own.
void Core::skip_to(std::uint64_t next) {
  const bool passes_interval = next >= next_interval_;
  if (passes_interval) end_interval();
  commit_.charge_idle(now_, next - now_);
  decode_.count_idle(next - now_);
  dispatch_.count_idle(next - now_);
  if (next >= next_sample_) {
    const std::uint64_t samples = (next - next_sample_) / options_.sample_cycles + 1;
    sample(samples);
    next_sample_ += samples * options_.sample_cycles;
    find_next_stop();
  }
  if (recorder_) recorder_->decode_stall(decode_.stall(), now_, next);
  now_ = next;
  if (passes_interval) {
    end_interval();
    next_interval_ = (next / options_.interval + 1) * options_.interval;
    find_next_stop();
  }
}

bool Core::drained() const {
  return window_.head == window_.fetched && operands_.idle() && !instruction_cache_.miss_outstanding() &&
         !data_cache_.miss_outstanding();
}

void Core::call_every(std::uint64_t cycles, std::function<void()> call) {
  call_ = std::move(call);
  call_cycles_ = next_call_ = cycles;
  find_next_stop();
}

void Core::at_stop() {
  if (now_ == next_sample_) {
    sample(1);
    next_sample_ += options_.sample_cycles;
  }
  if (now_ == next_interval_) {
    end_interval();
    next_interval_ += options_.interval;
  }
  if (now_ == next_call_) {
    call_();
    next_call_ += call_cycles_;
  }
  find_next_stop();
}

std::uint64_t Core::repeated_instructions() const { return repeater_ ? repeater_->repeated() : 0; }

/// Copies the timing state of all parts. The records that are put back lack what is not timing: CoreMemo adds
/// it.
void Core::timing_state(TimingState& state) {
  std::uint64_t decoded = window_.decoded - window_.head, fetched = window_.fetched - window_.head;
  state.value(decoded), state.value(fetched);
  if (!state.writes()) {
    window_.head = state.head();
    window_.decoded = state.head() + decoded;
    window_.fetched = state.head() + fetched;
  }
  state.cycle(idle_from_), state.cycle(due_);
  fetch_.timing_state(state);
  std::uint64_t pc = 0, instruction = 0;
  for (Sequence s = window_.head; s < window_.fetched + fetch_.pulled(); ++s) {
    InFlight& e = window_[s];
    isa::InstructionRecord& record = e.record;
    if (!state.writes()) record = {};
    state.near(record.pc, pc);
    pc = record.pc;
    auto at = reinterpret_cast<std::uint64_t>(record.instruction);
    state.near(at, instruction);
    instruction = at;
    record.instruction = reinterpret_cast<const isa::StaticInstruction*>(at);
    std::uint16_t marks = static_cast<std::uint16_t>(
        record.taken | record.annulled_slot << 1 | record.region_marker << 2 | record.first_of_trap << 3 |
        record.signal << 4 | record.simd << 5 | record.sbm << 6 | static_cast<unsigned>(record.kind) << 7 |
        record.window << 9);
    state.value(marks);
    record.taken = marks & 1, record.annulled_slot = marks >> 1 & 1, record.region_marker = marks >> 2 & 1;
    record.first_of_trap = marks >> 3 & 1, record.signal = marks >> 4 & 1, record.simd = marks >> 5 & 1;
    record.sbm = marks >> 6 & 1, record.kind = static_cast<isa::RecordKind>(marks >> 7 & 3);
    record.window = static_cast<std::uint8_t>(marks >> 9);
    state.value(record.pes);
    if (record.instruction->branch != isa::BranchKind::None) state.near(record.target, pc);
    if (s < window_.fetched)
      e.timing_state(state, s < window_.decoded, window_.stages,
                     config_.latency[static_cast<std::size_t>(record.instruction->latency)].cycles);
  }
  rename_.timing_state(state);
  if (!state.writes()) rename_.redefine(window_.decoded);
  wake_up_.timing_state(state);
  pipes_.timing_state(state);
  operands_.timing_state(state);
  decode_.timing_state(state);
  commit_.timing_state(state);
}

void Core::flush(Sequence first) {
  if (recorder_)
    for (Sequence s = first; s < fetch_.flush_end(); ++s) recorder_->leave(s, now_, true);
  if (activity_)
    for (Sequence s = first; s < fetch_.flush_end(); ++s)
      activity_->flushed(window_[s], s < window_.decoded, now_);
  if (first < window_.decoded) decode_.flush(first, now_);
}

void Core::on_marker(Sequence sequence, std::uint64_t now) {
  if (!region_listener_) return;
  RegionMark mark = region_listener_->on_region_marker(totals());
  mark.cycle = now;
  mark.sequence = recorder_ ? recorder_->identity(sequence) : 0;
  for (CoreObserver* observer : observers_) observer->on_region(mark);
}

std::string Core::describe() const {
  std::string text =
      fmt::format("cycle {}\n  {}\n  {}\n  {}\n  {}\n  {}", now_, fetch_.describe(), decode_.describe(),
                  pipes_.describe(), operands_.describe(), transfers_.describe());
  static constexpr const char* kProgress[] = {
      "fetched", "waits for operands", "runs", "is blocked in the cache pipeline", "waits for its line",
      "finished"};
  for (Sequence s = window_.head; s < std::min(window_.decoded, window_.head + 8); ++s) {
    const InFlight& e = window_[s];
    const bool scheduled = e.progress == Progress::Waiting && wake_up_.scheduled(s);
    text += fmt::format("\n  {} at pc {:#x} {}; done in cycle {}", s, e.record.pc,
                        scheduled ? "is scheduled" : kProgress[static_cast<std::size_t>(e.progress)],
                        e.done == kNever ? std::string("-") : std::to_string(e.done));
  }
  return text;
}

}  // namespace psim::pipeline
