// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/generator.h"

#include "isa/table/format.h"
#include "isa/table/spec.h"
#include "tests/differential/code_builder.h"
#include "tests/differential/plain_instruction.h"
#include "tests/differential/random.h"

namespace psim::differential {

namespace {

using isa::Spec;
using isa::Suffix;
using Word = std::uint32_t;

class Generator {
 public:
  explicit Generator(const Options& options)
      : options_(options), random_(options.seed), plain_(random_, options.subset) {
    for (const Spec& spec : isa::instructions())
      if (in_subset(spec, options.subset)) branch(spec);
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
          plain_.append(code_);
          break;
      }
    }
    while (depth_ > 0) leave_window();
    return code_.words();
  }

 private:
  void branch(const Spec& spec) {
    using isa::Flow;
    if (spec.flow == Flow::BranchIcc || spec.flow == Flow::BranchFcc || spec.flow == Flow::BranchRegister)
      branches_.push_back(&spec);
  }

  /// One instruction that needs none before it.
  void lone_plain() {
    const std::size_t start = code_.size();
    while (code_.size() == start) {
      const CodeBuilder before = code_;
      plain_.append(code_);
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
    while (code_.size() < between) plain_.append(code_);
    lone_plain();  // the branch may go to this one or behind it
    const std::vector<Word> skipped = code_.words();
    code_ = outer;
    const Word distance = static_cast<Word>(skipped.size()) + 1 - random_.below(2);
    Word word = spec.pattern.value | random_.below(2) << 29;
    switch (spec.format->suffix) {
      case Suffix::Bicc:
      case Suffix::Fbfcc:
        word |= random_.below(16) << 25 | distance;
        break;
      case Suffix::Bpcc:
        word |= random_.below(16) << 25 | random_.below(2) << 21 | random_.below(2) << 19 | distance;
        break;
      case Suffix::Fbpfcc:
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
    for (unsigned n = 1 + random_.below(4); n > 0; --n) plain_.append(code_);
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
    code_.imm(2, 0x3D, plain_.destination(), random_.below(32),
              static_cast<int>(random_.below(100)));  // restore
    --depth_;
  }

  Options options_;
  Random random_;
  PlainInstructions plain_;
  std::vector<const Spec*> branches_;
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
