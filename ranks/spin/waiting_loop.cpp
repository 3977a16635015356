// SPDX-License-Identifier: Apache-2.0
#include "ranks/spin/waiting_loop.h"

#include <algorithm>
#include <array>

#include "ranks/libc/crash_signals.h"

namespace psim::net::spin {
namespace {

constexpr std::uint32_t kMostSteps = 4'096;  // between two polls
// A poll with its event and switches of stacks takes as long as some 40 steps. An attempt takes up to twice
// the time of the polls before it.
constexpr std::uint32_t kStepsPerPoll = 40;
constexpr std::uint32_t kMostSpinSteps = 20'000;  // of a loop without a call: under 2 ms
constexpr std::uint64_t kRedZone = 128;           // in use below the stack pointer (System V ABI, 3.2.2)

constexpr std::array kSaved{rbx, rbp, r12, r13, r14, r15, rsp};  // as in PollCall::saved
constexpr std::array kArguments{rdi, rsi, rdx, rcx, r8, r9};

bool is(const Value& value, std::uint64_t bits) { return value.known && value.bits == bits; }
/// Returns true if the code has changed bytes of the word that the next call does not write again.
bool changed(const Word& word, const PollCall& call) {
  std::uint64_t difference = word.now ^ word.before;
  std::uint8_t unknown = static_cast<std::uint8_t>(~word.known);
  for (const int* const result : call.results) {
    const auto address = reinterpret_cast<std::uint64_t>(result);
    for (std::uint64_t byte = address; byte < address + sizeof *result; ++byte) {
      if ((byte & ~std::uint64_t{7}) != word.address) continue;
      difference &= ~(std::uint64_t{0xff} << 8 * (byte & 7));
      unknown &= static_cast<std::uint8_t>(~(1u << (byte & 7)));
    }
  }
  return difference != 0 || unknown != 0;
}
bool same(const Value& a, const Value& b) { return a.known == b.known && (!a.known || a.bits == b.bits); }

bool leads_to_call(const PollCall& call, Interpreter& work, std::uint32_t& steps) {
  constexpr Value kUnknown{0, false};
  work.forget_words();
  std::fill_n(work.registers.begin(), none, kUnknown);
  for (auto& vector : work.vectors) vector.fill(kUnknown);
  work.flags = {.known = false};
  for (std::size_t i = 0; i < kSaved.size(); ++i) work.registers[kSaved[i]] = {call.saved[i]};
  const std::uint64_t top = call.saved.back();
  work.registers[rsp].bits = top + 8;
  work.registers[rax] = {0};  // MPI_SUCCESS
  work.dead = top;
  work.pc = in_memory(top);
  const std::uint32_t most = steps;
  for (steps = 0; work.pc != call.entry; ++steps)
    if (steps == most || !work.step()) return false;
  for (std::size_t i = 0; i < kSaved.size(); ++i)
    if (!is(work.registers[kSaved[i]], call.saved[i])) return false;
  for (std::size_t i = 0; i < call.count; ++i)
    if (!is(work.registers[kArguments[i]], call.arguments[i])) return false;
  return std::ranges::none_of(work.words(), [&](const Word& word) {
    return word.changed() && !work.is_dead(word.address) && changed(word, call);
  });
}

/// Returns a number that equal calls share.
std::uint64_t digest(const PollCall& call) {
  std::uint64_t result = call.entry;
  const auto add = [&](std::uint64_t value) { result = (result ^ value) * 0x9e3779b97f4a7c15; };
  for (const std::uint64_t value : call.saved) add(value);
  for (std::size_t i = 0; i < call.count; ++i) add(call.arguments[i]);
  return result ^ result >> 32;
}

}  // namespace

// The code may be about to fault, or to find that memory was unmapped.
bool repeats_call(const PollCall& call, Interpreter& work, std::uint32_t& steps) {
  auto reads = [&] { return leads_to_call(call, work, steps); };
  return crash_signals::attempt(reads);
}

bool PollLoop::repeats(const PollCall& call, std::uint64_t now, std::uint64_t cost) {
  if (proved_) {
    if (cost != 0) {
      const std::uint64_t passed =
          std::min<std::uint64_t>((now - proved_at_) / cost, kMostBalance / kStepsPerPoll);
      balance_ = std::min(balance_ + static_cast<std::int64_t>(passed * kStepsPerPoll), kMostBalance);
      proved_at_ = now;
    }
    auto unchanged = [this] {
      return std::ranges::all_of(
          proof_->words, [](const WatchedWord& word) { return in_memory(word.address) == word.value; });
    };
    if (call == proof_->call && crash_signals::attempt(unchanged)) {
      due_ = now + cost;
      return true;
    }
    proved_ = false;
  }
  const std::uint64_t this_call = digest(call);
  const bool next = this_call == call_ && now == due_;
  due_ = now + cost;
  if (!next) {
    call_ = this_call;
    same_ = 1;
    next_ = first_;
    return false;
  }
  if (++same_ < next_) return false;
  static Interpreter work;
  std::uint32_t steps = std::min(same_ * 2, kMostSteps / kStepsPerPoll) * kStepsPerPoll;
  proved_ = repeats_call(call, work, steps);
  balance_ = std::max(balance_ - steps, -kMostBalance);
  // Waits that end soon after their proof do not pay for it: only longer ones are tried then.
  const bool pays = balance_ >= 0;
  if (!proved_) {
    next_ = same_ <= ~0u / 2 ? 2 * same_ : ~0u;
    first_ = std::min(next_, pays ? kLatestFirst : kLatestOfShort);
    return false;
  }
  first_ = pays ? std::max(steps / (2 * kStepsPerPoll) + 1, kFirst) : std::min(2 * first_, kLatestOfShort);
  proved_at_ = now;
  if (!proof_) proof_ = std::make_unique<Proof>();
  proof_->call = call;
  proof_->words.clear();
  for (const Word& word : work.words())
    if (!work.is_dead(word.address)) proof_->words.push_back({word.address, word.before, ~std::uint64_t{0}});
  return true;
}

namespace {

/// A snapshot of the registers.
struct Moment {
  std::array<Value, rip + 1> registers;
  std::array<std::array<Value, 2>, 16> vectors;
  Flags flags;

  explicit Moment(const Interpreter& work)
      : registers(work.registers), vectors(work.vectors), flags(work.flags) {}
};

bool same(const Flags& a, const Flags& b) {
  return a.known == b.known && (!a.known || (a.carry == b.carry && a.zero == b.zero && a.sign == b.sign &&
                                             a.overflow == b.overflow && a.parity == b.parity));
}

/// Executes one iteration, until the loop is back at its start.
bool run_iteration(Interpreter& work, std::uint64_t pc, std::uint64_t stack, std::uint32_t& steps) {
  do {
    if (steps++ == kMostSpinSteps || !work.step()) return false;
  } while (work.pc != pc || !is(work.registers[rsp], stack));
  return true;
}

bool all_same(const Interpreter& work, const Moment& then) {
  for (std::size_t i = 0; i < 16; ++i)
    if (!same(work.registers[i], then.registers[i]) || !same(work.vectors[i][0], then.vectors[i][0]) ||
        !same(work.vectors[i][1], then.vectors[i][1]))
      return false;
  return same(work.flags, then.flags) && std::ranges::none_of(work.words(), [&](const Word& word) {
           return word.changed() && !work.is_dead(word.address);
         });
}

/// Returns a bit for each byte that differs.
unsigned different_bytes(std::uint64_t a, std::uint64_t b) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) result |= static_cast<unsigned>(((a ^ b) >> 8 * i & 0xff) != 0) << i;
  return result;
}

/// Makes values unknown that differ from `then`. Returns true if there were any.
bool mark_changes_unknown(Interpreter& work, Moment& then) {
  bool news = false;
  const auto compare = [&](Value& now, Value& before) {
    if (!before.known) return void(now.known = false);
    if (same(now, before)) return;
    now.known = before.known = false;
    news = true;
  };
  for (std::size_t i = 0; i < 16; ++i) {
    compare(work.registers[i], then.registers[i]);
    for (std::size_t half = 0; half < 2; ++half) compare(work.vectors[i][half], then.vectors[i][half]);
  }
  if (!then.flags.known) work.flags.known = false;
  if (!same(work.flags, then.flags)) {
    work.flags.known = then.flags.known = false;
    news = true;
  }
  return news;
}

bool never_leaves(Interpreter& work) {
  static Interpreter begin;
  begin = work;
  begin.forget_words();
  begin.dead = begin.registers[rsp].bits - kRedZone;
  const std::uint64_t pc = begin.pc, stack = begin.registers[rsp].bits;
  Moment then(begin);
  // Exactly as before, perhaps after inner loops.
  work = begin;
  for (std::uint32_t steps = 0; run_iteration(work, pc, stack, steps);)
    if (all_same(work, then)) return true;
  // As before except for counters, on which nothing may depend.
  work = begin;
  std::uint32_t steps = 0;
  for (int rounds = 0; rounds < 6; ++rounds) {
    if (!run_iteration(work, pc, stack, steps)) return false;
    bool news = mark_changes_unknown(work, then);
    for (Word& word : work.words()) {
      const auto kept =
          static_cast<std::uint8_t>(word.kept & word.known & ~different_bytes(word.now, word.before));
      news |= kept != word.kept && !work.is_dead(word.address);
      word.known = word.kept = kept;
    }
    if (!news) return true;
  }
  return false;
}

}  // namespace

void take(const mcontext_t& state, Interpreter& work) {
  constexpr std::array kOrder{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (std::size_t i = 0; i < kOrder.size(); ++i)
    work.registers[i] = {static_cast<std::uint64_t>(state.gregs[kOrder[i]])};
  for (std::size_t i = 0; i < work.vectors.size(); ++i) {
    const std::uint32_t* const part = state.fpregs->_xmm[i].element;
    for (std::size_t half = 0; half < 2; ++half)
      work.vectors[i][half] = {part[2 * half] | std::uint64_t{part[2 * half + 1]} << 32};
  }
  const auto flags = static_cast<std::uint64_t>(state.gregs[REG_EFL]);
  work.flags = {.carry = (flags & 1) != 0,
                .zero = (flags >> 6 & 1) != 0,
                .sign = (flags >> 7 & 1) != 0,
                .overflow = (flags >> 11 & 1) != 0,
                .parity = (flags >> 2 & 1) != 0};
  work.pc = static_cast<std::uint64_t>(state.gregs[REG_RIP]);
}

bool repeats(Interpreter& work) {
  auto reads = [&] { return never_leaves(work); };
  return crash_signals::attempt(reads);
}

std::span<const WatchedWord> watched(const Interpreter& work) {
  static std::array<WatchedWord, Interpreter::kMostWords> list;
  std::size_t count = 0;
  for (const Word& word : work.words()) {
    if (word.kept == 0 || work.is_dead(word.address)) continue;
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 8; ++i)
      if ((word.kept >> i & 1) != 0) mask |= std::uint64_t{0xff} << 8 * i;
    list[count++] = {word.address, word.before & mask, mask};
  }
  return std::span(list).first(count);
}

bool unchanged(std::span<const WatchedWord> words) {
  auto compare = [words] {
    return std::ranges::all_of(
        words, [](const WatchedWord& word) { return (in_memory(word.address) & word.mask) == word.value; });
  };
  return crash_signals::attempt(compare);  // another thread may have unmapped a word
}

}  // namespace psim::net::spin
