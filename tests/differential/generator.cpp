// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/generator.h"

#include <algorithm>
#include <random>

#include "isa/spec.h"
#include "isa/table/format.h"
#include "tests/differential/code_builder.h"

namespace psim::differential {

namespace {

using isa::Op;
using isa::Operand;
using isa::Spec;
using Word = std::uint32_t;

// Registers with a duty: base of the chunk's record, pointer for addresses that must be one register, loop
// counter.
constexpr unsigned kBase = 1, kPointer = 3, kCounter = 4, kStack = 14, kFrame = 30;
constexpr std::uint64_t kStackBytes = 65536;
constexpr int kScratch = 2 * 8 * kStateWords;  // offset of the scratch area in a record
constexpr bool has_duty(unsigned r) {
  return r == kBase || r == kPointer || r == kCounter || r == kStack || r == kFrame;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<unsigned>(values.size()))];
  }

  /// A register value that is likely to matter: small, extreme, or a notable floating-point number.
  std::uint64_t value() {
    switch (below(8)) {
      case 0:
        return bits();
      case 1:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(bits())));
      case 2:
        return one_of<std::uint64_t>(
            {0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF});
      case 3:
        return bits() >> below(64);
      case 4:  // doubles: zero, one, subnormal, infinity, extremes
        return one_of<std::uint64_t>({0, 0x3FF0000000000000, 1, 0x000FFFFFFFFFFFFF, 0x7FF0000000000000,
                                      0x7FEFFFFFFFFFFFFF, 0x0010000000000000}) |
               (bits() & 1) << 63;
      case 5:
        return std::uint64_t{single()} << 32 | single();
      case 6:
        return (0x3FF + below(64) - 32ull) << 52 | (bits() >> 12) | (bits() & 1) << 63;  // doubles near one
      default:
        return std::uint64_t{(127 + below(32) - 16u) << 23 | (static_cast<unsigned>(bits()) & 0x7FFFFF)}
                   << 32 |
               ((127 + below(32) - 16u) << 23 | (static_cast<unsigned>(bits()) & 0x7FFFFF));
    }
  }

 private:
  std::uint32_t single() {
    return one_of<std::uint32_t>({0, 0x3F800000, 1, 0x007FFFFF, 0x7F800000, 0x7F7FFFFF, 0x00800000}) |
           static_cast<std::uint32_t>(bits() & 1) << 31;
  }
  std::mt19937_64 engine_;
};

// Where qemu-sparc64 7.2 departs from the VIS manual; unit vectors cover these (isa/vis). Edge: sources are
// aligned in place. Array: field positions. Partitioned compares greater and less-equal: unsigned.
// Partitioned subtraction: operands swapped. Multiplies of pixels, merge, expand, pack: lane order. bshuffle:
// bytes of the result reversed. Quad compares into fcc1–fcc3 clear the flags and the rounding mode. stq
// stores the high half twice. Two NaN operands: the result follows x87's rule, so random values hold few
// NaNs.
bool wrong_in_qemu(Op op) {
  switch (op) {
    case Op::Array8:
    case Op::Array16:
    case Op::Array32:
    case Op::Fpmerge:
    case Op::Fexpand:
    case Op::Fmul8x16:
    case Op::Fmul8x16au:
    case Op::Fmul8x16al:
    case Op::Fmul8ulx16:
    case Op::Fmul8sux16:
    case Op::Fmuld8sux16:
    case Op::Fmuld8ulx16:
    case Op::Fcmpq:
    case Op::Fcmpeq:
    case Op::Stqf:
    case Op::Bshuffle:
    case Op::Fpsub16:
    case Op::Fpsub16s:
    case Op::Fpsub32:
    case Op::Fpsub32s:
    case Op::Fpcmple16:
    case Op::Fpcmpgt16:
    case Op::Fpcmple32:
    case Op::Fpcmpgt32:
      return true;
    default:
      return (op >= Op::Edge8cc && op <= Op::Edge32lcc) || (op >= Op::Edge8n && op <= Op::Edge32ln);
  }
}

bool in_subset(const Spec& spec, Subset subset) {
  if (subset == Subset::All) return true;
  if (wrong_in_qemu(spec.op)) return false;
  return !(spec.op >= Op::Addxc || (spec.op >= Op::Fmadds && spec.op <= Op::Fpmaddxhi) ||
           spec.op == Op::Cwb || spec.op == Op::Cxb);
}

// Rows that random filling of fields may use; control transfer and windows are composed by hand below.
bool is_plain(const Spec& spec) {
  switch (spec.op) {
    case Op::Illegal:
    case Op::Illtrap:
    case Op::Privileged:
    case Op::Call:
    case Op::Jmpl:
    case Op::Return:
    case Op::Bicc:
    case Op::Bpcc:
    case Op::Fbfcc:
    case Op::Fbpfcc:
    case Op::Bpr:
    case Op::Cwb:
    case Op::Cxb:
    case Op::Tcc:
    case Op::Save:
    case Op::Restore:
    case Op::Rdtick:
    case Op::Rdstick:
    case Op::Wrpause:
    case Op::Wrfprs:
    case Op::Rdfprs:
    case Op::Wrgsr:  // interval rounding, which qemu has not
    case Op::Wrasi:  // only some values are user ASIs
    case Op::Ldfsr:
    case Op::Ldxfsr:  // could enable traps
    case Op::Taddcctv:
    case Op::Tsubcctv:  // trap on overflow
    case Op::Siam:      // qemu-sparc64 7.2 has no siam
    case Op::Rdpc:      // the two programs of a bisection differ in addresses
      return false;
    default:
      return true;
  }
}

bool is_division(Op op) {
  switch (op) {
    case Op::Udiv:
    case Op::Udivcc:
    case Op::Sdiv:
    case Op::Sdivcc:
    case Op::Udivx:
    case Op::Sdivx:
      return true;
    default:
      return false;
  }
}

constexpr bool is_store_only(const Spec& spec) {
  return (spec.effects & isa::effect::kStore) && !(spec.effects & isa::effect::kLoad);
}

class Generator {
 public:
  explicit Generator(const Options& options) : options_(options), random_(options.seed) {
    for (const Spec& spec : isa::instructions()) {
      if (is_plain(spec) && in_subset(spec, options.subset)) plain_.push_back(&spec);
      if (in_subset(spec, options.subset)) branch(spec);
    }
  }

  /// About `length` instructions; never leaves a window open or a loop unfinished.
  std::vector<Word> body() {
    code_ = {};
    depth_ = 0;
    while (code_.size() < options_.length) {
      switch (random_.below(14)) {
        case 0:
          window();
          break;
        case 1:
        case 2:
        case 3:
          forward_branch();
          break;
        case 4:
          loop();
          break;
        default:
          plain();
          break;
      }
    }
    while (depth_ > 0) leave_window();
    return code_.words();
  }

 private:
  void branch(const Spec& spec) {
    switch (spec.op) {
      case Op::Bicc:
      case Op::Bpcc:
      case Op::Fbfcc:
      case Op::Fbpfcc:
      case Op::Bpr:
        branches_.push_back(&spec);
        break;
      default:
        break;
    }
  }

  unsigned destination() {
    unsigned r;
    do {
      r = random_.below(32);
    } while (has_duty(r));
    return r;
  }
  unsigned even_destination() { return random_.one_of<unsigned>({8, 10, 12, 16, 18, 20, 22, 24, 26, 28}); }

  Word filled(const Spec& spec, bool& usable) {
    Word word = spec.pattern.value;
    int offset =
        kScratch + static_cast<int>(random_.below(kScratchBytes - 64)) / 64 * 64;  // block accesses want 64
    const unsigned size = std::max<unsigned>(spec.bytes, 1);
    if (size < 64) offset += static_cast<int>(random_.below(64 / size) * size);
    const auto rd = [&](unsigned r) { word |= r << 25; };
    const auto field_double = [&] { return random_.below(32); };
    const auto field_quad = [&] { return random_.below(32) & 0x1Du; };
    for (const Operand operand : spec.format->operands) {
      switch (operand) {
        case Operand::Rd:
          rd(destination());
          break;
        case Operand::RdSource:
          rd(is_store_only(spec) ? random_.below(32) : destination());
          break;
        case Operand::RdPair:
          rd(even_destination());
          break;
        case Operand::RdPairSource:
          rd(random_.below(16) * 2);
          break;
        case Operand::Fs:
        case Operand::FsSource:
          rd(random_.below(32));
          break;
        case Operand::Fd:
        case Operand::FdSource:
          rd(field_double());
          break;
        case Operand::Fq:
        case Operand::FqSource:
          rd(field_quad());
          break;
        case Operand::Rs1:
        case Operand::Fs1:
        case Operand::Fd1:
          word |= random_.below(32) << 14;
          break;
        case Operand::Fq1:
          word |= field_quad() << 14;
          break;
        case Operand::Rs2:
        case Operand::Fs2:
        case Operand::Fd2:
        case Operand::Shcnt32:
        case Operand::Simm5:
          word |= random_.below(32);
          break;
        case Operand::Fq2:
          word |= field_quad();
          break;
        case Operand::Fs3:
        case Operand::Fd3:
          word |= random_.below(32) << 9;
          break;
        case Operand::Simm13:
          word |= random_.chance(50) ? random_.below(32) : random_.below(1u << 13);
          break;
        case Operand::Simm11:
          word |= random_.below(1u << 11);
          break;
        case Operand::Simm10:
          word |= random_.below(1u << 10);
          break;
        case Operand::Shcnt64:
          word |= random_.below(64);
          break;
        case Operand::High22:
        case Operand::Const22:
          word |= random_.below(1u << 22);
          break;
        case Operand::SiamMode:
          break;  // mode 0: leaves the rounding of %fsr in force
        case Operand::MembarMask:
          word |= random_.below(16);
          break;
        case Operand::PrefetchFunction:
          rd(random_.below(5));
          break;
        case Operand::AddressImmediate:
          word |= kBase << 14 | static_cast<Word>(offset);
          break;
        case Operand::AddressRegister: {
          const unsigned index = destination() | 16;  // never %g0
          if (has_duty(index)) {
            usable = false;
            return 0;
          }
          code_.imm(2, 0x02, index, 0, offset);
          word |= kBase << 14 | index;
          break;
        }
        case Operand::AddressRs1:
          code_.imm(2, 0x00, kPointer, kBase, offset);
          word |= kPointer << 14;
          break;
        case Operand::ImmediateAsi:
          word |= random_.one_of<Word>({0x80, 0x80, 0x88, 0x82}) << 5;
          break;
        case Operand::MoveIcc:
          word |= random_.below(2) << 12;
          break;
        case Operand::MoveFcc:
          word |= random_.below(4) << 11;
          break;
        case Operand::CompareFcc:
          word |= random_.below(4) << 25;
          break;
        case Operand::Y:
        case Operand::Ccr:
        case Operand::Asi:
        case Operand::Gsr:
        case Operand::Pc:
        case Operand::Fsr:
        case Operand::AsiRegister:
        case Operand::None:
          break;
        default:
          usable = false;
          return 0;  // an operand of the rows that is_plain() keeps out
      }
    }
    switch (spec.format->suffix) {
      case isa::Suffix::MoveIcc:
      case isa::Suffix::MoveFcc:
        word |= random_.below(16) << 14;
        break;
      case isa::Suffix::MoveR:
        word |= random_.one_of<Word>({1, 2, 3, 5, 6, 7}) << 10;
        break;
      default:
        break;
    }
    // No-fault ASIs are for loads.
    if ((spec.effects & isa::effect::kStore) != 0 && (word >> 13 & 1) == 0 && (word >> 5 & 0xFF) == 0x82)
      word ^= 0x2 << 5;
    return word;
  }

  void plain() {
    bool usable = true;
    const Spec& spec = *plain_[random_.below(static_cast<unsigned>(plain_.size()))];
    const Word word = filled(spec, usable);
    if (!usable || &isa::decode(word) != &spec) return;
    if (is_division(spec.op)) {  // no division by zero
      if (word >> 13 & 1) {
        if ((word & 0x1FFF) == 0) return;
      } else {
        const unsigned divisor = word & 31;
        if (divisor == 0 || has_duty(divisor)) return;
        code_.imm(2, 0x02, divisor, divisor, 1);
      }
    }
    // After logical operations and divisions qemu 7.2 loses the carry that addccc and subccc produce, unless
    // %ccr was written.
    if (options_.subset == Subset::Qemu && (spec.op == Op::Addccc || spec.op == Op::Subccc)) {
      code_.rd_asr(5, 2);
      code_.wr_asr(2, 5);
    }
    code_.word(word);
  }

  /// One instruction that needs none before it.
  void lone_plain() {
    const std::size_t start = code_.size();
    while (code_.size() == start) {
      const CodeBuilder before = code_;
      plain();
      if (code_.size() > start + 1) code_ = before;
    }
  }

  /// A branch over one to five simple instructions, with a simple instruction in its delay slot.
  void forward_branch() {
    const Spec& spec = *branches_[random_.below(static_cast<unsigned>(branches_.size()))];
    CodeBuilder outer = code_;
    code_ = {};
    lone_plain();  // the delay slot may be annulled, so it must not set up what follows
    const unsigned between = 1 + random_.below(5);
    while (code_.size() < between) plain();
    lone_plain();  // the branch may go to this one or behind it
    const std::vector<Word> skipped = code_.words();
    code_ = outer;
    const Word distance = static_cast<Word>(skipped.size()) + 1 - random_.below(2);
    Word word = spec.pattern.value | random_.below(2) << 29;
    switch (spec.op) {
      case Op::Bicc:
      case Op::Fbfcc:
        word |= random_.below(16) << 25 | distance;
        break;
      case Op::Bpcc:
        word |= random_.below(16) << 25 | random_.below(2) << 21 | random_.below(2) << 19 | distance;
        break;
      case Op::Fbpfcc:
        word |= random_.below(16) << 25 | random_.below(4) << 20 | random_.below(2) << 19 | distance;
        break;
      default:
        word |= random_.one_of<Word>({1, 2, 3, 5, 6, 7}) << 25 | random_.below(2) << 19 |
                random_.below(32) << 14 | distance;
    }
    if (&isa::decode(word) != &spec) return;
    code_.word(word);
    for (const Word inner : skipped) code_.word(inner);
  }

  /// A few simple instructions, twice or three times.
  void loop() {
    code_.imm(2, 0x02, kCounter, 0, static_cast<int>(2 + random_.below(2)));
    const std::size_t start = code_.size();
    for (unsigned n = 1 + random_.below(4); n > 0; --n) plain();
    code_.imm(2, 0x14, kCounter, kCounter, 1);  // subcc
    const int back = static_cast<int>(start) - static_cast<int>(code_.size());
    code_.word(9u << 25 | 2u << 22 | (static_cast<Word>(back) & 0x3FFFFF));  // bne start
    lone_plain();
  }

  /// Opens one to nine windows, so that windows spill, and closes some.
  void window() {
    if (depth_ > 0 && random_.chance(50)) return leave_window();
    for (unsigned n = 1 + random_.below(9); n > 0 && depth_ < 12; --n, ++depth_) {
      code_.imm(2, 0x3C, kStack, kStack, -176);  // save
      for (const unsigned r : {8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22,
                               23})  // what a new window holds is not defined
        code_.imm(2, 0x02, r, 0, static_cast<int>(random_.below(1u << 13)));
    }
  }
  void leave_window() {
    code_.imm(2, 0x3D, destination(), random_.below(32), static_cast<int>(random_.below(100)));  // restore
    --depth_;
  }

  Options options_;
  Random random_;
  std::vector<const Spec*> plain_, branches_;
  CodeBuilder code_;
  unsigned depth_ = 0;
};

void load_state(CodeBuilder& code) {
  code.ldx(2, kBase, 8 * 33), code.wr_asr(0, 2);
  code.ldx(2, kBase, 8 * 34), code.wr_asr(19, 2);
  code.ldx(2, kBase, 8 * 36), code.wr_asr(3, 2);
  code.imm(3, 0x21, 1, kBase, 8 * 35);  // ldx [...], %fsr
  for (unsigned d = 0; d < 32; ++d) code.lddf(2 * d, kBase, static_cast<int>(8 * (38 + d)));
  code.ldx(2, kBase, 8 * 32), code.wr_asr(2, 2);
  for (unsigned r = 2; r < 32; ++r)
    if (r != kStack && r != kFrame) code.ldx(r, kBase, static_cast<int>(8 * r));
}

void store_state(CodeBuilder& code) {
  constexpr int kFinal = 8 * kStateWords;
  for (unsigned r = 0; r < 32; ++r)
    if (r != kStack && r != kFrame && r != kBase) code.stx(r, kBase, kFinal + static_cast<int>(8 * r));
  code.rd_asr(2, 2), code.stx(2, kBase, kFinal + 8 * 32);
  code.rd_asr(2, 0), code.stx(2, kBase, kFinal + 8 * 33);
  code.rd_asr(2, 19), code.stx(2, kBase, kFinal + 8 * 34);
  code.imm(3, 0x25, 1, kBase, kFinal + 8 * 35);  // stx %fsr, [...]
  code.rd_asr(2, 3), code.stx(2, kBase, kFinal + 8 * 36);
  for (unsigned d = 0; d < 32; ++d) code.stdf(2 * d, kBase, kFinal + static_cast<int>(8 * (38 + d)));
}

std::string initial_record(Random& random) {
  std::string record;
  for (unsigned r = 0; r < 32; ++r) append_be64(record, random.value());
  append_be64(record, random.below(256));                                 // ccr
  append_be64(record, random.bits() & 0xFFFFFFFF);                        // y
  append_be64(record, random.bits() & 0xFFFFFFFF000000FF);                // gsr, interval mode off
  append_be64(record, std::uint64_t{random.below(64)} << 32 |             // fsr: fcc3–fcc1,
                          random.below(4) << 30 |                         // rounding,
                          random.below(4) << 10);                         // fcc0; no traps, no flags
  append_be64(record, random.one_of<std::uint64_t>({0x80, 0x80, 0x88}));  // asi
  append_be64(record, 0);
  for (unsigned d = 0; d < 32; ++d) append_be64(record, random.value());
  record.resize(2 * record.size(), '\0');
  while (record.size() < kRecordBytes) append_be64(record, random.value());
  return record;
}

}  // namespace

Program generate(const Options& options) {
  Generator generator(options);
  Random data(options.seed * 0x9E3779B97F4A7C15 + 1);
  Program program;
  CodeBuilder code;
  std::string records;
  const std::uint64_t records_end = kDataAddress + std::uint64_t{kRecordBytes} * options.chunks;
  code.set64(kStack, records_end + kStackBytes / 2 -
                         2047);  // the stack is ours, at the same address on every machine
  code.set64(kFrame, records_end + kStackBytes / 2 - 2047);
  for (unsigned chunk = 0; chunk < options.chunks; ++chunk) {
    std::vector<Word> body = generator.body();
    records += initial_record(data);
    if (options.only_chunk < 0 || options.only_chunk == static_cast<int>(chunk)) {
      if (options.only_chunk >= 0 && options.truncate >= 0)
        body.resize(static_cast<std::size_t>(options.truncate));
      code.set64(kBase, kDataAddress + std::uint64_t{kRecordBytes} * chunk);
      load_state(code);
      for (const Word word : body) code.word(word);
      store_state(code);
    }
    program.bodies.push_back(std::move(body));
  }
  code.imm(2, 0x02, 8, 0, 1);
  code.set64(9, kDataAddress);
  code.set64(10, records.size());
  code.system_call(4);  // write
  code.imm(2, 0x02, 8, 0, 0);
  code.system_call(188);  // exit_group
  program.elf = elf_image(code.words(), records, records.size() + kStackBytes);
  return program;
}

std::string state_word_name(unsigned index) {
  if (index < 32) return std::string("%") + "goli"[index / 8] + std::to_string(index % 8);
  if (index >= 38) return "%d" + std::to_string(2 * (index - 38));
  static const char* const names[] = {"ccr", "%y", "%gsr", "%fsr", "%asi", "pad"};
  return names[index - 32];
}

}  // namespace psim::differential
