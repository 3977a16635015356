// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/environment.h"
#include "isa/simd/lanes.h"
#include "isa/state/conditions.h"
#include "isa/state/decoded.h"
#include "isa/table/analyse.h"
#include "isa/table/fields.h"
#include "isa/table/spec.h"

namespace psim::isa::simd {
namespace {

constexpr std::uint64_t kFccFields = 3u << 10 | std::uint64_t{0x3f} << 32, kAexc = 0x1f << 5;

PSIM_HANDLER(lane_end) {
  c->exit = Exit::Done;
  return nullptr;
}

void add_rows(const RegisterRange& range, std::array<std::uint8_t, 8>& rows, std::uint8_t& count) {
  if (range.first < reg::kFp || range.first >= reg::kCcr) return;
  for (unsigned half = range.first - reg::kFp; half < unsigned{range.first} - reg::kFp + range.count; ++half)
    if (count == 0 || rows[count - 1u] != half / 2) rows[count++] = static_cast<std::uint8_t>(half / 2);
}

/// Returns the scalar word for a cross operation, with rs2 in a register that the operation does not use
/// otherwise.
std::uint32_t scalar_word(std::uint32_t word, LaneOp& op) {
  const CrossForm form = cross_form(word);
  const auto row = [&](std::uint32_t field) {
    return static_cast<std::uint8_t>((form.is_double ? double_register(field) : field) / 2);
  };
  op.crosses = true, op.cross = form.cross, op.from = row(rs2(word));
  op.to = 0;
  while (op.to == row(rd(word)) || op.to == row(rs1(word)) || op.to == row(rs3(word))) ++op.to;
  const std::uint32_t half = form.is_double ? 0 : rs2(word) % 2u;
  op.sign = std::uint64_t{1} << (half != 0 ? 31 : 63);
  const bool two = bits(form.scalar, 19, 6) == 0x34;
  const std::uint32_t fields = 0x1fu << 25 | 0x1fu << 14 | (two ? 0 : 0x1fu << 9);
  return form.scalar | (word & fields) | (2u * op.to + half);
}

LaneOp make(std::uint32_t word, const Bindings& scalar) {
  LaneOp op;
  if (decode(word).manual == "PSIM cross") word = scalar_word(word, op);
  op.action = decoded(word, scalar).action;
  const StaticInstruction s = analyse(word);
  for (unsigned n = 0; n < s.sources; ++n) {
    add_rows(s.source[n], op.read, op.reads);
    op.reads_fcc |= s.source[n].first >= reg::kFcc && s.source[n].first < reg::kY;
  }
  for (unsigned n = 0; n < s.destinations; ++n) {
    const RegisterRange& range = s.destination[n];
    add_rows(range, op.written, op.writes);
    op.writes_fcc |= range.first >= reg::kFcc && range.first < reg::kY;
    op.to_integer |= range.first < reg::kFp;
  }
  return op;
}

std::uint64_t fcc_bits(const SimdState& s, unsigned pe) {
  return s.fcc[0][pe] << 10 | s.fcc[1][pe] << 32 | s.fcc[2][pe] << 34 | s.fcc[3][pe] << 36;
}

/// The scalar state that an operation changes; restored when it is done.
class Borrowed {
 public:
  explicit Borrowed(Context* c)
      : c_{c}, f_{c->f}, fsr_{c->fsr}, a_{c->fp_a}, b_{c->fp_b}, c2_{c->fp_c}, last_{c->fp_last} {}
  /// Restores the state. `trapped`: %fsr keeps ftt and cexc of the trap.
  void give_back(bool trapped) {
    c_->f = f_;
    const std::uint64_t kept = trapped ? kFccFields | kAexc : ~kAexc;
    c_->fsr = (fsr_ & kept) | (c_->fsr & ~kept) | (fsr_ & kAexc);
    if (!trapped) c_->fp_a = a_, c_->fp_b = b_, c_->fp_c = c2_, c_->fp_last = last_;
  }

 private:
  Context* c_;
  std::array<std::uint64_t, 32> f_;
  std::uint64_t fsr_, a_, b_, c2_;
  std::uint8_t last_;
};

/// The value of an operation for an integer register, PE by PE.
class IntegerResult {
 public:
  IntegerResult(Context* c, const LaneOp& op) : c_{c}, op_{op}, kept_{get(c, op.action.rd)} {}
  /// Returns true if PE `pe` has the operands of the first, and so its result.
  bool known(unsigned pe) const {
    bool same = any_;
    for (unsigned n = 0; n < op_.reads; ++n)
      same &= c_->simd.f[op_.read[n]][pe] == c_->simd.f[op_.read[n]][first_];
    return same;
  }
  void take(unsigned pe) {
    const std::uint64_t value = get(c_, op_.action.rd);
    if (!any_) {
      any_ = true, first_ = pe, value_ = value;
    } else if (value != value_) {
      if (others_ == 0) other_ = value;
      others_ |= 1u << pe;
    }
  }
  /// Writes the agreed value. Returns false if the block has been left, with the register unchanged.
  bool put_agreed(const Action* a) {
    const bool agreed = may_differ(c_, a, value_, others_, other_);
    put(c_, op_.action.rd, agreed ? value_ : kept_);
    return agreed;
  }
  void put_back() { put(c_, op_.action.rd, kept_); }

 private:
  Context* c_;
  const LaneOp& op_;
  std::uint64_t kept_, value_ = 0, other_ = 0;
  unsigned first_ = 0;
  std::uint32_t others_ = 0;
  bool any_ = false;
};

[[gnu::noinline]] const Action* each_lane(Context* c, const Action* a, std::byte* host,
                                          const std::uint8_t* pages) {
  SimdState& s = c->simd;
  const auto [found, is_new] = s.lane_ops.try_emplace(a->word);
  if (is_new) found->second = make(a->word, *s.scalar);
  const LaneOp& op = found->second;
  Action pair[2] = {op.action, {}};
  pair[1].handler = lane_end;

  fp::read_fsr(*c);  // the flags that the host has accrued so far are kept, independent of the lanes
  Borrowed borrowed(c);
  std::array<std::uint64_t, kMostPes> fccs{};
  // If no PE is enabled, PE 0 gives an integer register its value.
  const std::uint32_t pes = op.to_integer && s.mask == 0 ? 1 : s.mask;
  IntegerResult integer(c, op);
  for (std::uint32_t left = pes; left != 0; left &= left - 1) {
    const auto pe = static_cast<unsigned>(__builtin_ctz(left));
    if (op.to_integer && integer.known(pe)) continue;
    // A single changes half of its register.
    for (unsigned n = 0; n < op.reads; ++n) c->f[op.read[n]] = s.f[op.read[n]][pe];
    for (unsigned n = 0; n < op.writes; ++n) c->f[op.written[n]] = s.f[op.written[n]][pe];
    if (op.crosses)
      c->f[op.to] = s.f[op.from][source_pe(op.cross, pe)] ^ (negates(op.cross, pe) ? op.sign : 0);
    c->fsr = (c->fsr & ~kFccFields) | fcc_bits(s, pe);
#if PSIM_THREADED
    pair[0].handler(c, pair, host, pages);
#else
    for (const Action* at = pair; at != nullptr;) at = at->handler(c, at, host, pages);
#endif
    if (c->exit != Exit::Done) {
      c->exit_action = a, c->fault.pes = 1u << pe;
      borrowed.give_back(true);
      if (op.to_integer) integer.put_back();
      return nullptr;
    }
    if (op.to_integer) integer.take(pe);
    for (unsigned n = 0; n < op.writes; ++n) s.scratch[n][pe] = c->f[op.written[n]];
    fccs[pe] = c->fsr;
  }
  for (std::uint32_t left = pes; left != 0; left &= left - 1) {
    const auto pe = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned n = 0; n < op.writes; ++n) s.f[op.written[n]][pe] = s.scratch[n][pe];
    if (!op.writes_fcc) continue;
    s.fcc[0][pe] = fccs[pe] >> 10 & 3;
    for (unsigned n = 1; n < 4; ++n) s.fcc[n][pe] = fccs[pe] >> (30 + 2 * n) & 3;
  }
  borrowed.give_back(false);
  if (op.to_integer && !integer.put_agreed(a)) return nullptr;
  return a + 1;
}

}  // namespace

PSIM_HANDLER(by_lanes) {
  const Action* const after = each_lane(c, a, host, pages);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

int agreed_fcc(Context* c, const Action* a, unsigned n) {
  SimdState& s = c->simd;
  const unsigned first = s.first();
  const std::uint64_t value = s.fcc[n][first];
  if (s.divergence == Divergence::Pe0) return static_cast<int>(value);
  std::uint32_t others = 0;
  for (std::uint32_t left = s.mask; left != 0; left &= left - 1)
    if (const auto pe = static_cast<unsigned>(__builtin_ctz(left)); s.fcc[n][pe] != value) others |= 1u << pe;
  if (others == 0) return static_cast<int>(value);
  trouble(c, a, FaultKind::PeDivergence);
  c->fault.pes = others, c->fault.detail = n;
  return -1;
}

PSIM_HANDLER(decide_agreed) {
  const int fcc = agreed_fcc(c, a, a->rs2);
  if (fcc < 0) return nullptr;
  c->taken = a->imm >> fcc & 1;
  PSIM_NEXT;
}

namespace {
PSIM_HANDLER(no_divider) { PSIM_TROUBLE(FaultKind::PeDivide); }
}  // namespace
Binding refuses_division(FmaRounding) { return {.handler = no_divider}; }

bool host_has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}

}  // namespace psim::isa::simd
