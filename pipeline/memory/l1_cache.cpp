// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/l1_cache.h"

#include <algorithm>
#include <bit>

#include "pipeline/memo/outcome_tape.h"

namespace psim::pipeline {
namespace {

TlbConfig tlb_of(const L1Config& config) {
  TlbConfig tlb = config.tlb;
  if (config.prefetch == Prefetch::Perfect) tlb.enabled = false;
  return tlb;
}

}  // namespace

L1Stats::L1Stats(const L1Config& config)
    : outstanding(*this, "outstanding", "lines",
                  "miss registers in use when an access or prefetch has taken one, with it",
                  config.miss_registers),
      occupancy(*this, "miss_registers", "lines", "miss registers in use; sampled", config.miss_registers) {}

L1Cache::L1Cache(const L1Config& config, NextLevel& below)
    : bank_mask_(config.banks == 0 ? 0 : config.banks - 1),
      ports_(config.ports),
      line_shift_(static_cast<std::uint32_t>(std::countr_zero(config.line_bytes))),
      latency_(config.latency),
      tags_(config.bytes / config.line_bytes / config.ways, config.ways),
      stats_(config),
      tlb_(tlb_of(config)),
      all_(config.miss_registers == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << config.miss_registers) - 1),
      miss_registers_(config.miss_registers),
      config_(config),
      below_(below) {
  for (MissRegister& reg : miss_registers_) reg.targets.reserve(config.targets_per_miss);
  completions_.reserve(config.targets_per_miss);
  if (config.prefetch == Prefetch::Stream) streams_.emplace(config.prefetch_streams, config.prefetch_lines);
}

/// Returns the miss register that waits for `line`, or their number.
std::uint32_t L1Cache::find(std::uint64_t line) const {
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (miss_registers_[i].line == line) return i;
  }
  return config_.miss_registers;
}

Access L1Cache::refuse_for_miss_register() {
  ++stats_.miss_register_refusals;
  return {Outcome::Refused, Refusal::MissRegister, false, next_fill_};
}

Access L1Cache::slow_access(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint64_t cycle,
                            std::uint64_t token) {
  const bool write = kind == AccessKind::Store;
  const std::uint64_t first = address >> line_shift_;
  const std::uint64_t last = (address + bytes - 1) >> line_shift_;
  // The resources that the lines need are checked before anything changes: a refused access has no effect.
  std::uint32_t missing = 0;
  std::uint32_t registers = 0;
  for (std::uint64_t line = first; config_.prefetch != Prefetch::Perfect && line <= last; ++line) {
    if (write ? tags_.writable(line) : tags_.contains(line)) continue;
    ++missing;
    const std::uint32_t at = find(line);
    if (at == config_.miss_registers)
      ++registers;
    else if (!is_prefetch(kind) && miss_registers_[at].targets.size() == config_.targets_per_miss)
      return refuse_for_miss_register();
  }
  // Requesting a line can evict a present one (inclusion), so that line needs a register, too.
  if (registers > 0) registers += static_cast<std::uint32_t>(last - first + 1) - missing;
  if (registers > static_cast<std::uint32_t>(std::popcount(all_ & ~busy_))) return refuse_for_miss_register();
  take_port(address);
  for (std::uint64_t line = first; line <= last; ++line)
    if (tags_.use(line)) {
      ++stats_.used_prefetches;
      touched(line, kind);
    }
  if (missing == 0) {
    for (std::uint64_t line = first; config_.prefetch != Prefetch::Perfect && line <= last; ++line)
      tags_.touch(line, write);
    ++stats_.hits;
    return {Outcome::Hit, Refusal::None, false, cycle + latency_};
  }
  std::uint32_t join = kNoJoin;
  if (first != last && !is_prefetch(kind)) {
    const auto free =
        std::find_if(joins_.begin(), joins_.end(), [](const Join& j) { return j.missing == 0; });
    join = static_cast<std::uint32_t>(free - joins_.begin());
    if (free == joins_.end()) joins_.emplace_back();
    joins_[join] = {0, 0, Level::L1};
  }
  for (std::uint64_t line = first; line <= last; ++line)
    if (!tags_.touch(line, write)) request(line, kind, cycle, token, join);
  if (is_prefetch(kind)) ++stats_.prefetches;
  registers == 0 ? ++stats_.merges : ++stats_.misses;
  return {Outcome::Miss, Refusal::None, registers == 0, kNever};
}

void L1Cache::request(std::uint64_t line, AccessKind kind, std::uint64_t cycle, std::uint64_t token,
                      std::uint32_t join, bool ahead) {
  std::uint32_t at = find(line);
  if (join != kNoJoin) ++joins_[join].missing;
  const bool fresh = at == config_.miss_registers;
  if (fresh) at = static_cast<std::uint32_t>(std::countr_zero(all_ & ~busy_));
  MissRegister& reg = miss_registers_[at];
  if (fresh) {
    busy_ |= std::uint64_t{1} << at;
    reg.line = line;
    reg.due = reg.usable = kNever;
    reg.order = ++orders_;
    reg.missed = cycle;
    reg.write = false;
    reg.owned = kind == AccessKind::Store || kind == AccessKind::PrefetchWrite;
    reg.shared = false;
    reg.keep = true;
    reg.prefetched = reg.ahead = ahead;
    reg.targets.clear();
    ++stats_.requests;
    stats_.outstanding.add(static_cast<std::uint64_t>(std::popcount(busy_)));
  }
  if (!ahead && (fresh || reg.prefetched)) {
    if (reg.prefetched) ++stats_.used_prefetches, ++stats_.late_prefetches;
    reg.prefetched = false;
    touched(line, kind);
  }
  if (kind == AccessKind::Store) reg.write = true;
  if (!is_prefetch(kind) && !ahead) reg.targets.push_back({token, kind, join});
  if (fresh) below_.read(line << line_shift_, kind, cycle + latency_, at);
}

PrefetchAnswer L1Cache::prefetch(std::uint64_t address, AccessKind kind, std::uint64_t cycle) {
  if (tape_ == nullptr) return look_ahead(address, kind, cycle);
  const PrefetchAnswer answer =
      tape_->feeds_prefetch() ? tape_->fed_prefetch() : look_ahead(address, kind, cycle);
  tape_->prefetched(address, cycle, answer);
  return answer;
}

/// Does access() with a tape.
Access L1Cache::taped_access(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint64_t cycle,
                             std::uint64_t token, bool translated) {
  const Access answer =
      tape_->feeds_access() ? tape_->fed_access() : look_up(address, bytes, kind, cycle, token, translated);
  tape_->accessed(address, bytes, kind, cycle, token, translated, answer);
  return answer;
}

/// Returns the completions of drain_taped().
const std::vector<Completion>& L1Cache::taped_fills(std::uint64_t cycle) {
  taped_completions_.clear();
  const auto completed = [this, cycle](const Completion& completion) {
    taped_completions_.push_back(completion);
    tape_->completed(cycle, completion);
  };
  const auto filled = [this, cycle] { tape_->filled(cycle, of_instructions_); };
  while (tape_->next_completion(of_instructions_) <= cycle) {
    if (const std::optional<Completion> fed = tape_->fed_completion(of_instructions_))
      completed(*fed);
    else
      filled();
  }
  drain(cycle, completed, filled);
  return taped_completions_;
}

PrefetchAnswer L1Cache::look_ahead(std::uint64_t address, AccessKind kind, std::uint64_t cycle) {
  if (!tlb_.translates(address, cycle)) return PrefetchAnswer::NoTranslation;
  const std::uint64_t line = address >> line_shift_;
  const bool present = tags_.contains(line) || find(line) != config_.miss_registers;
  if (!present) {
    const auto free = static_cast<std::uint32_t>(std::popcount(all_ & ~busy_));
    if (free <= std::max(1u, config_.miss_registers / 4)) return PrefetchAnswer::NoRegister;
    ++stats_.hardware_prefetches;
    request(line, kind, cycle, 0, kNoJoin, true);
  }
  ++stats_.prefetch_lookups;
  return present ? PrefetchAnswer::Present : PrefetchAnswer::Sent;
}

bool L1Cache::request_ahead(std::uint64_t cycle) {
  if (cycle == port_cycle_ && ports_used_ == ports_) return true;  // next cycle
  const StreamPrefetcher::Request next = streams_->next();
  switch (prefetch(next.line << line_shift_, next.kind, cycle)) {
    case PrefetchAnswer::NoRegister:
      return false;
    case PrefetchAnswer::NoTranslation:
      streams_->stop();
      return true;
    default:
      streams_->requested();
      return true;
  }
}

std::uint64_t L1Cache::taped_next_event() const {
  return std::min(next_fill_, tape_->next_completion(of_instructions_));
}

/// Counts the miss registers in use `times` times, with a tape.
void L1Cache::taped_sample(std::uint64_t times) {
  for (; times != 0 && tape_->feeds_samples(of_instructions_); --times)
    stats_.occupancy.add(tape_->fed_sample(of_instructions_));
  stats_.occupancy.add(miss_registers_in_use(), times);
}

void L1Cache::fill(std::uint32_t miss_register, std::uint64_t cycle, std::uint64_t now, Level level,
                   bool shared) {
  MissRegister& reg = miss_registers_[miss_register];
  // `notice` cycles ahead if the level below answers in time, otherwise as soon as the core can be notified.
  reg.due = std::max(cycle - std::min<std::uint64_t>(cycle, config_.notice), now);
  reg.usable = reg.due + config_.notice;
  reg.level = level;
  reg.shared |= shared;
  next_fill_ = std::min(next_fill_, reg.due);
}

const std::vector<Completion>& L1Cache::take_fill() {
  std::uint32_t first = config_.miss_registers;
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (miss_registers_[i].due != next_fill_) continue;
    if (first == config_.miss_registers || miss_registers_[i].order < miss_registers_[first].order) first = i;
  }
  MissRegister& reg = miss_registers_[first];
  busy_ &= ~(std::uint64_t{1} << first);
  completions_.clear();
  // Stores joined a read whose line they may not write.
  const bool again = reg.write && !reg.owned && (reg.shared || !reg.keep);
  for (const Target& target : reg.targets) {
    if (again && target.kind == AccessKind::Store) continue;
    if (target.join == kNoJoin) {
      completions_.push_back({target.token, reg.usable, reg.level, target.kind});
      continue;
    }
    Join& join = joins_[target.join];
    join.usable = std::max(join.usable, reg.usable);
    join.level = std::max(join.level, reg.level);
    if (--join.missing == 0) completions_.push_back({target.token, join.usable, join.level, target.kind});
  }
  const std::uint64_t now = reg.due;
  next_fill_ = kNever;
  for (std::uint64_t left = busy_; left != 0; left &= left - 1)
    next_fill_ = std::min(next_fill_, miss_registers_[std::countr_zero(left)].due);
  if (fill_listener_) fill_listener_->on_fill(reg.line << line_shift_, config_.line_bytes, reg.level);
  if (!reg.ahead) stats_.miss_latency.add(reg.usable - reg.missed);
  if (again) reg.write = false;
  enter(reg, now);
  if (again) {
    std::erase_if(reg.targets, [](const Target& target) { return target.kind != AccessKind::Store; });
    busy_ |= std::uint64_t{1} << first;
    reg.due = reg.usable = kNever;
    reg.order = ++orders_;
    reg.write = reg.owned = reg.keep = true;
    reg.shared = reg.prefetched = reg.ahead = false;
    ++stats_.requests;
    below_.read(reg.line << line_shift_, AccessKind::Store, now + latency_, first);
  }
  return completions_;
}

/// Puts the line of a fill into the cache, unless it left L2 meanwhile.
inline void L1Cache::enter(const MissRegister& reg, std::uint64_t now) {
  // Stores that waited are done, even if L2 gives the line to another cache: it takes their data along.
  const bool taken = !reg.keep || (reg.shared && reg.owned);
  if (taken && reg.write) {
    ++stats_.write_backs;
    below_.write_back(reg.line << line_shift_, now + latency_);
  }
  if (!reg.keep) return;
  const bool dirty = reg.write && !taken;
  if (reg.owned && tags_.contains(reg.line)) {  // it was there, but not writable
    if (!reg.shared) tags_.own(reg.line, dirty);
    return;
  }
  const TagArray::Victim victim = tags_.insert(reg.line, dirty, reg.prefetched, reg.shared);
  stats_.unused_prefetches += victim.unused;
  if (victim.valid) {
    ++stats_.evictions;
    report_loss(victim.line, now + 1);
  }
  if (victim.dirty) {
    ++stats_.write_backs;
    below_.write_back(victim.line << line_shift_, now + latency_);
  }
}

bool L1Cache::share(std::uint64_t address) {
  const std::uint64_t line = address >> line_shift_;
  if (const std::uint32_t at = find(line); at != config_.miss_registers) miss_registers_[at].shared = true;
  return tags_.share(line);
}

bool L1Cache::warm_prefetched(std::uint64_t address, bool write) {
  const std::uint64_t line = address >> line_shift_;
  const AccessKind kind = write ? AccessKind::Store : AccessKind::Load;
  touched(line, kind);
  return tags_.use(line) && tags_.touch(line, write);
}

TagArray::Victim L1Cache::warm_fill(std::uint64_t address, bool write) {
  ++stats_.misses;
  return tags_.insert(address >> line_shift_, write);
}

std::uint64_t L1Cache::warm_request() {
  while (streams_ && streams_->has_request()) {
    const std::uint64_t address = streams_->next().line << line_shift_;
    if (!tlb_.translates(address, kNever)) {
      streams_->stop();
      continue;
    }
    streams_->requested();
    if (!tags_.contains(address >> line_shift_)) return address;
  }
  return kNever;
}

TagArray::Victim L1Cache::warm_prefetch(std::uint64_t address) {
  return tags_.insert(address >> line_shift_, false, true);
}

void L1Cache::warm_state(StateWords& words) {
  tlb_.warm_state(words);
  if (config_.prefetch != Prefetch::Perfect) tags_.warm_state(words);
  if (streams_) streams_->warm_state(words);
}

bool L1Cache::invalidate(std::uint64_t address, std::uint64_t cycle) {
  const std::uint64_t line = address >> line_shift_;
  if (const std::uint32_t at = find(line); at != config_.miss_registers) miss_registers_[at].keep = false;
  const TagArray::Victim victim = tags_.remove(line);
  stats_.unused_prefetches += victim.unused;
  if (victim.valid) {
    ++stats_.back_invalidates;
    report_loss(line, cycle);
  }
  if (victim.dirty) ++stats_.write_backs;
  return victim.dirty;
}

}  // namespace psim::pipeline
