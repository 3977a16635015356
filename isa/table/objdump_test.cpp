// SPDX-License-Identifier: Apache-2.0
// Compares the table with GNU objdump: every row with varied fields, the whole opcode space, whole binaries.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "isa/table/analyse.h"
#include "isa/table/disassemble.h"
#include "isa/table/fields.h"
#include "isa/table/spec.h"
#include "isa/table/testing/objdump.h"
#include "isa/table/testing/words.h"

namespace psim::isa {
namespace {

constexpr char kMachine[] = "v9m";  // knows VIS 3, compare-and-branch and FMA

#define REQUIRE_TOOL(name) \
  if (!testing::have(name)) GTEST_SKIP() << name << " is not installed"

/// An intended difference, with its reason.
struct Difference {
  const char* reason;
  std::function<bool(std::uint32_t word, const std::string& theirs, const std::string& ours)> matches;
};

bool is_word(const std::string& text) { return text.starts_with(".word"); }
std::string mnemonic(const std::string& text) { return text.substr(0, text.find(' ')); }

const std::vector<Difference>& differences() {
  static const std::set<std::string> vis4{
      "fpadd8",    "fpadds8",  "fpaddus8", "fpaddus16",  "fpsub8",     "fpsubs8",    "fpsubus8",
      "fpsubus16", "fpmin8",   "fpmin16",  "fpmin32",    "fpmax8",     "fpmax16",    "fpmax32",
      "fpminu8",   "fpminu16", "fpminu32", "fpmaxu8",    "fpmaxu16",   "fpmaxu32",   "fpcmple8",
      "fpcmpgt8",  "subxc",    "subxccc",  "fpcmpule16", "fpcmpule32", "fpcmpugt16", "fpcmpugt32"};
  static const std::vector<Difference> list{
      {"the SIMD extension, which only psim has",
       [](std::uint32_t word, const auto& theirs, const auto&) {
         return decode(word).manual.starts_with("PSIM") &&
                (theirs == "unknown" || theirs.find("%asr") != theirs.npos);
       }},
      {"the ASI of the SIMD extension",
       [](std::uint32_t, const auto&, const auto& ours) { return ours.find("#ASI_SBM") != ours.npos; }},
      {"objdump takes bit 12 (cc1) of a trap on %xcc for the sign of its number",
       [](std::uint32_t word, const auto&, const auto&) {
         return decode(word).flow == Flow::Trap && has_immediate(word) && bits(word, 12, 1) != 0;
       }},
      {"objdump writes ret and retl whatever rd is",
       [](std::uint32_t, const auto& theirs, const auto& ours) {
         return (theirs == "ret" || theirs == "retl") &&
                (mnemonic(ours) == "jmpl" || mnemonic(ours) == "call");
       }},
      {"objdump has no register form of stqa",
       [](std::uint32_t word, const auto& theirs, const auto&) {
         return decode(word).name == "stqa" && !has_immediate(word) && theirs == "unknown";
       }},
      {"branches on condition codes of V8's coprocessor",
       [](std::uint32_t word, const auto&, const auto& ours) {
         return is_word(ours) && word >> 30 == 0 && bits(word, 22, 3) == 7;
       }},
      {"cc0 = 1 names no integer condition codes (V9 A.7, A.61)",
       [](std::uint32_t word, const auto&, const auto& ours) {
         const bool branch = word >> 30 == 0 && bits(word, 22, 3) == 1 && bits(word, 20, 1) == 1;
         const bool trap = word >> 30 == 2 && bits(word, 19, 6) == 0x3a && bits(word, 11, 1) == 1;
         return is_word(ours) && (branch || trap);
       }},
      {"unfused multiply-add in the encoding of SPARC64 X; SPARC64 V has IMPDEP2",
       [](std::uint32_t word, const auto&, const auto& ours) {
         return is_word(ours) && word >> 30 == 2 && bits(word, 19, 6) == 0x3f;
       }},
      {"VIS 4, of later processors than niagara4",
       [](std::uint32_t, const auto& theirs, const auto& ours) {
         return is_word(ours) && vis4.contains(mnemonic(theirs));
       }},
      {"VIS 4: faligndata with the offset in a register",
       [](std::uint32_t word, const auto& theirs, const auto& ours) {
         return is_word(ours) && mnemonic(theirs) == "faligndata" && bits(word, 5, 9) == 0x49;
       }},
      {"cryptography",
       [](std::uint32_t, const auto& theirs, const auto& ours) {
         static const std::regex names(
             "(aes|des|kasumi|camellia)_.*|md5|sha1|sha256|sha512|x?mpmul|x?montmul|x?montsqr|crc32c");
         return is_word(ours) && std::regex_match(mnemonic(theirs), names);
       }},
      {"hyperprivileged registers; those that wrpr cannot write; one of a later processor",
       [](std::uint32_t, const auto& theirs, const auto& ours) {
         static const std::regex names("(rdhpr|wrhpr) .*|wrpr .*%ver|(rdpr|wrpr) .*%pmcdper.*");
         return is_word(ours) && std::regex_match(theirs, names);
       }},
      {"state registers that SPARC64 V and niagara4 do not give to programs",
       [](std::uint32_t, const auto& theirs, const auto& ours) {
         static const std::regex names(
             "(rd|wr) .*(%asr\\d+|%mcdper|%cfr|%mwait|%softint_set|%softint_clear).*|mwait .*");
         return is_word(ours) && std::regex_match(theirs, names);
       }},
  };
  return list;
}

class Comparison {
 public:
  void compare(std::uint32_t word, std::uint64_t pc, const std::string& theirs) {
    const std::string ours = disassemble(word, pc);
    if (ours == theirs || (is_word(ours) && theirs == "unknown")) return;
    for (const Difference& difference : differences()) {
      if (difference.matches(word, theirs, ours)) {
        ++used_[difference.reason];
        return;
      }
    }
    ++failures_;
    if (++kinds_[mnemonic(theirs) + " | " + mnemonic(ours).substr(0, 5)] == 1) {
      ADD_FAILURE() << std::hex << word << "\n objdump: " << theirs << "\n ours:    " << ours;
    }
  }
  const std::map<std::string, unsigned>& used() const { return used_; }
  unsigned failures() const { return failures_; }

 private:
  std::map<std::string, unsigned> used_, kinds_;  // one failure of a kind is shown
  unsigned failures_ = 0;
};

TEST(Objdump, AgreesOnEveryRow) {
  REQUIRE_TOOL("sparc64-linux-gnu-objdump");
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  for (const Spec& spec : instructions()) {
    if ((spec.effects & effect::kReserved) != 0) continue;
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t word = testing::word_of(spec, random);
      words.push_back(word);
      // Synthetic spellings depend on equal registers and small constants.
      const auto with = [&](std::uint32_t mask, std::uint32_t value) {
        words.push_back((word & (~mask | spec.pattern.mask)) | (value & mask & ~spec.pattern.mask));
      };
      if (i % 8 == 0) with(0x3e000000, static_cast<std::uint32_t>(rs1(word)) << 25);
      if (i % 8 == 1) with(0x3e000000, static_cast<std::uint32_t>(rs2(word)) << 25);
      if (i % 8 == 2) with(0x3e001fff, static_cast<std::uint32_t>(rs1(word)) << 25 | 1);
      if (i % 8 == 3) with(0x3e000000, 0);
      if (i % 8 == 4) with(0x3e000000, 0x1e000000);
      if (i % 8 == 5) with(0x0007c000, 0);
    }
  }
  Comparison comparison;
  const auto lines = testing::objdump(words, kMachine);
  ASSERT_EQ(lines.size(), words.size());
  std::set<const Spec*> seen;
  for (const testing::Line& line : lines) {
    comparison.compare(line.word, line.address, line.text);
    seen.insert(&decode(line.word));
  }
  EXPECT_EQ(comparison.failures(), 0u);
  EXPECT_GE(seen.size(), instructions().size() - 20);  // all but the rows of reserved conditions
}

TEST(Objdump, AgreesOverTheWholeOpcodeSpace) {
  REQUIRE_TOOL("sparc64-linux-gnu-objdump");
  // Every op, op2, op3 and opf with every i, and fields zero, one, odd, all ones.
  static constexpr std::uint32_t kFields[] = {0, 1, 2, 5, 8, 12, 16, 31};
  std::vector<std::uint32_t> words;
  for (std::uint32_t top = 0; top < 32; ++top) {  // cond and annul of format 2
    for (std::uint32_t op2 = 0; op2 < 8; ++op2) {
      for (const std::uint32_t low : {0u, 1u, 0x12345u, 0x94010u, 0x3fffffu})
        words.push_back(top << 25 | op2 << 22 | low);
    }
  }
  for (const std::uint32_t op : {2u, 3u}) {
    for (std::uint32_t op3 = 0; op3 < 64; ++op3) {
      for (const std::uint32_t rd : kFields) {
        for (const std::uint32_t rs1 : kFields) {
          const std::uint32_t base = op << 30 | rd << 25 | op3 << 19 | rs1 << 14;
          for (const std::uint32_t low :
               {0u, 12u, 0x20u, 0x40cu, 0x1000u, 0x180cu, 0x2000u, 0x200cu, 0x3000u, 0x3fffu}) {
            words.push_back(base | low);
          }
        }
      }
    }
  }
  for (std::uint32_t rd = 0; rd < 32; ++rd) {  // names of state registers, destinations of ret
    words.push_back(0x81c7e008 | rd << 25);
    for (const std::uint32_t op3 : {0x28u, 0x29u, 0x2au, 0x2bu, 0x30u, 0x31u, 0x32u, 0x33u, 0x3eu}) {
      words.push_back(2u << 30 | rd << 25 | op3 << 19);
      words.push_back(2u << 30 | rd << 25 | op3 << 19 | 2u << 14 | 3);
      words.push_back(2u << 30 | 2u << 25 | op3 << 19 | rd << 14);
      words.push_back(2u << 30 | rd << 25 | op3 << 19 | 1u << 13 | 7);
    }
  }
  words.push_back(3u << 30 | 0x10u << 19 | 0xb8u << 5);  // lda [ %g0 ] #ASI_SBM, %g0
  for (const std::uint32_t op3 : {0x34u, 0x35u, 0x36u, 0x37u}) {
    for (std::uint32_t opf = 0; opf < 512; ++opf) {
      for (const std::uint32_t rd : {0u, 1u, 3u, 6u, 31u}) {
        for (const std::uint32_t rs1 : {0u, 10u, 31u}) {
          for (const std::uint32_t rs2 : {0u, 7u, 12u}) {
            words.push_back(2u << 30 | rd << 25 | op3 << 19 | rs1 << 14 | opf << 5 | rs2);
          }
        }
      }
    }
  }
  Comparison comparison;
  for (const testing::Line& line : testing::objdump(words, kMachine)) {
    comparison.compare(line.word, line.address, line.text);
  }
  EXPECT_EQ(comparison.failures(), 0u);
  for (const Difference& difference : differences()) {
    EXPECT_TRUE(comparison.used().contains(difference.reason)) << "no longer needed: " << difference.reason;
  }
}

TEST(Objdump, AgreesOnAWholeStaticBinary) {
  REQUIRE_TOOL("sparc64-linux-gnu-objdump");
  REQUIRE_TOOL("sparc64-linux-gnu-gcc");
  const testing::ScratchFile source(".c"), binary(".elf");
  std::ofstream(source.name())
      << "#include <math.h>\n#include <stdio.h>\n"
         "int main(int c, char **v) { printf(\"%s %f\\n\", v[0], sin(c)); return 0; }\n";
  const std::string compile =
      "sparc64-linux-gnu-gcc -static -O2 " + source.name() + " -o " + binary.name() + " -lm";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  Comparison comparison;
  std::size_t lines = 0;
  for (testing::Line& line : testing::objdump("-d -m sparc:" + std::string(kMachine) + " " + binary.name())) {
    // In files with symbols objdump leaves out the 0x of a target.
    if (analyse(line.word).displacement != 0) {
      const std::size_t at = line.text.rfind(' ') + 1;
      if (!line.text.substr(at).starts_with("0x")) line.text.insert(at, "0x");
    }
    comparison.compare(line.word, line.address, line.text);
    ++lines;
  }
  EXPECT_EQ(comparison.failures(), 0u);
  EXPECT_GT(lines, 50000u);
}

}  // namespace
}  // namespace psim::isa
