// SPDX-License-Identifier: Apache-2.0
// Compares with the cross binutils: gcc's output becomes the same code and the same relocations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/object_file.h"
#include "isa/assembler/relocation.h"
#include "isa/table/testing/objdump.h"

namespace psim::isa::assembler {
namespace {

using testing::ScratchFile;

#define REQUIRE_TOOL(name) \
  if (!testing::have(name)) GTEST_SKIP() << name << " is not installed"

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
ObjectFile object_of(const std::string& bytes) {
  return parse_object_file("object", {bytes.begin(), bytes.end()});
}

/// Returns the contents of the loaded sections, and the relocations. Leaves out arbitrary differences: names
/// of sections' symbols, and the nops with which GNU as fills the end of a section.
std::map<std::string, std::vector<std::uint8_t>> bytes_of(const ObjectFile& file) {
  std::map<std::string, std::vector<std::uint8_t>> result;
  for (const ObjectFile::Section& section : file.sections) {
    if ((section.flags & 2) == 0 || section.bytes.empty()) continue;  // SHF_ALLOC
    result[section.name].assign(section.bytes.begin(), section.bytes.end());
  }
  return result;
}
std::multiset<std::string> relocations_of(const ObjectFile& file) {
  std::multiset<std::string> result;
  for (const ObjectFile::Relocation& relocation : file.relocations)
    result.insert(fmt::format("{} {:#x}: {} {} {:+}", file.sections[relocation.section].name,
                              relocation.offset, relocation_name(relocation.type), relocation.symbol,
                              relocation.addend));
  return result;
}

/// Expects equality and shows the first difference.
void expect_same(const ObjectFile& ours, const ObjectFile& theirs, const std::string& what) {
  const auto our_bytes = bytes_of(ours), their_bytes = bytes_of(theirs);
  EXPECT_EQ(our_bytes.size(), their_bytes.size()) << what;
  for (const auto& [name, bytes] : their_bytes) {
    const auto found = our_bytes.find(name);
    ASSERT_NE(found, our_bytes.end()) << what << ": no " << name;
    const auto [mine, other] = std::ranges::mismatch(found->second, bytes);
    // GNU as fills code up to the section's alignment with nops, or a branch over them.
    const std::size_t more = static_cast<std::size_t>(bytes.end() - other);
    const bool filled = more < 32 && (more == 0 || other[0] == 0x01 || other[0] == 0x30);
    EXPECT_TRUE(mine == found->second.end() && filled)
        << what << ": " << name << " differs from offset " << other - bytes.begin() << " of " << bytes.size();
  }
  EXPECT_EQ(relocations_of(ours), relocations_of(theirs)) << what;
}

/// Compiles C to text with `flags`, assembles it with both and compares. Returns the number of instructions.
std::size_t compare(const std::string& program, const std::string& flags) {
  const ScratchFile c(".c"), text(".s"), object(".o");
  std::ofstream(c.name()) << program;
  const std::string compile =
      fmt::format("sparc64-linux-gnu-gcc -w -fno-pie {} -S -o {} {}", flags, text.name(), c.name());
  const std::string assemble_ =
      fmt::format("sparc64-linux-gnu-as -Av9m -o {} {}", object.name(), text.name());
  if (std::system(compile.c_str()) != 0 || std::system(assemble_.c_str()) != 0) {
    ADD_FAILURE() << "the cross tools fail with " << flags;
    return 0;
  }
  try {
    const Assembly assembly = assemble(contents(text.name()), {.file = flags});
    const std::string made = assembler::object(assembly);
    const ObjectFile ours = object_of(made), theirs = object_of(contents(object.name()));
    expect_same(ours, theirs, flags);
    std::size_t instructions = 0;
    for (const Section& section : assembly.sections) instructions += section.instructions.size();
    return instructions;
  } catch (const UserError& error) {
    ADD_FAILURE() << error.what();
    return 0;
  }
}

constexpr char kMixed[] = R"(
#include <math.h>
#include <stdio.h>
#include <string.h>
struct point { double x, y; int tag; char name[13]; };
static struct point points[3] = {{1, 2, 3, "a"}, {4, 5, 6, "bc"}};
static int counter;
int common_one;
extern int elsewhere(double, const char *);
const char *const words[] = {"zero", "one", "two"};
double table[4] = {0.1, -2.5e300, 3, 4};
static int choose(int n) {
  switch (n) {
    case 0: return elsewhere(1, "x");
    case 1: return counter++;
    case 2: return common_one * 3;
    case 3: return elsewhere(2, words[n & 1]);
    case 4: return -5000000;
    case 5: return n << counter;
    case 6: return elsewhere(table[1], "seven");
  }
  return 0;
}
long long mix(long long a, unsigned b, float f) {
  volatile char local[6000];
  local[5000] = (char)a;
  long long r = a / (b + 1) + (a % 7) * 1234567890123LL + (unsigned short)b + local[5000];
  return r ^ (long long)(f * 1.5f) ^ (a > b ? ~a : -a);
}
double sums(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i] - fabs(a[i]) / sqrt(b[i] + 1);
  return s;
}
int main(int argc, char **argv) {
  struct point p = points[argc % 3];
  for (int i = 0; i < argc; i++) printf("%s %d %g %lld\n", argv[i], choose(i), p.x + p.tag, mix(i, argc, 2.5f));
  __sync_fetch_and_add(&counter, argc);
  memset(&p, 0, sizeof p);
  return (int)sums(table, table, 4) + (p.name[0] ? 1 : counter);
}
)";

TEST(GnuAs, OutputOfGccBecomesTheSameCodeAndRelocations) {
  REQUIRE_TOOL("sparc64-linux-gnu-gcc");
  REQUIRE_TOOL("sparc64-linux-gnu-as");
  for (const char* const flags :
       {"-O0", "-O2", "-O3 -funroll-loops", "-Os", "-O2 -mcpu=ultrasparc3 -mvis2",
        "-O3 -mcpu=niagara3 -mvis3 -mfmaf", "-O3 -mcpu=niagara4", "-O2 -mcmodel=medmid",
        "-O2 -mcmodel=medany", "-O2 -fcommon -fno-jump-tables"})
    EXPECT_GT(compare(kMixed, flags), 150u) << flags;
}

TEST(GnuAs, KernelsOfTheTreeToo) {
  REQUIRE_TOOL("sparc64-linux-gnu-gcc");
  REQUIRE_TOOL("sparc64-linux-gnu-as");
  for (const char* const name : {"dgemm", "sieve", "pointer_chase"}) {
    const std::string path = std::string(PSIM_SOURCE_DIR) + "/workloads/kernels/" + name + ".c";
    EXPECT_GT(compare("#include \"" + path + "\"\n",
                      std::string("-O2 -I ") + PSIM_SOURCE_DIR + "/workloads/include"),
              50u);
  }
}

/// Returns .gnu.attributes, which is not loaded.
std::string attributes_of(const ObjectFile& file) {
  for (const ObjectFile::Section& section : file.sections)
    if (section.name == ".gnu.attributes") return {section.bytes.begin(), section.bytes.end()};
  return {};
}

TEST(GnuAs, ObjectsNameTheSameProcessors) {
  REQUIRE_TOOL("sparc64-linux-gnu-as");
  const ScratchFile text(".s"), object(".o");
  const auto attributes = [&](const std::string& code) {
    std::ofstream(text.name()) << code << "\n";
    EXPECT_EQ(std::system(("sparc64-linux-gnu-as -Av9m -o " + object.name() + " " + text.name()).c_str()), 0);
    const std::string ours = attributes_of(object_of(assembler::object(assemble(code + "\n"))));
    EXPECT_EQ(ours, attributes_of(object_of(contents(object.name())))) << code;
    return ours;
  };
  unsigned named = 0;
  for (const char* const code : {"add %o0, %o1, %o2",
                                 "mulx %o0, %o1, %o2",
                                 "umul %o0, %o1, %o2",
                                 "sdivcc %o0, %o1, %o2",
                                 "fsmuld %f0, %f1, %f2",
                                 "fmuld %f0, %f2, %f4",
                                 "popc %o0, %o1",
                                 "edge8 %o0, %o1, %o2",
                                 "fpadd16 %f0, %f2, %f4",
                                 "fxnors %f0, %f1, %f2",
                                 "bmask %o0, %o1, %o2",
                                 "edge8n %o0, %o1, %o2",
                                 "siam 1",
                                 "movxtod %o0, %f2",
                                 "addxc %o0, %o1, %o2",
                                 "fsll16 %f0, %f2, %f4",
                                 "fnadds %f0, %f1, %f2",
                                 "flcmpd %fcc0, %f0, %f2",
                                 "fmaddd %f0, %f2, %f4, %f6",
                                 "fnmadds %f0, %f2, %f4, %f6",
                                 "fpmaddx %f0, %f2, %f4, %f6",
                                 "fpadd64 %f0, %f2, %f4",
                                 "rd %gsr, %o0",
                                 "rd %tick, %o0",
                                 "rd %stick, %o0",
                                 "wr %g0, 0, %gsr",
                                 "1: cwbe %o0, %o1, 1b",
                                 "1: cxbne %o0, 3, 1b",
                                 "casx [%o0], %o1, %o2",
                                 "fmaddd %f0, %f2, %f4, %f6; lzcnt %o0, %o1; fpsub64 %f0, %f2, %f4"})
    named += !attributes(code).empty();
  EXPECT_EQ(named, 25u);
}

TEST(GnuAs, OneTextGivesTheSameWordsInBothAssemblers) {
  REQUIRE_TOOL("sparc64-linux-gnu-as");
  // Code that compilers do not write.
  constexpr char kText[] = R"(
        .text
        .register %g2, #scratch
start:  set     -2, %o0
        set     0x12345678, %o0
        set     start, %o0
        setx    start, %o1, %o0
        setx    0x123456789abcdef0, %o1, %o0
        setsw   -0x12345678, %o0
        sethi   %hi(start+4), %g1
        or      %g1, %lo(start+4), %g1
        sethi   %h44(start), %g1
        or      %g1, %m44(start), %g1
        ld      [%g1 + %l44(start)], %f3
        ldx     [%g1 + %lo(start) + 8], %o0
        sethi   %hix(start), %g1
        xor     %g1, %lox(start), %g1
        not %o1; neg %o1, %o2; inc 4, %o1; dec %o1; bset 4, %o2; bclr %o1, %o2; btog 4, %o2
        btst    4, %o1
        tst     %o1
        cmp     %o1, %lo(0x1234)
        mov     %o1, %y
        mov     %y, %o1
        membar  #StoreLoad | #Sync
        prefetch [%o1 + 64], #n_writes
        casx    [%o1], %o2, %o3
        cas     [%o1], %o2, %o3
        ldda    [%o1] #ASI_BLK_P, %f16
        stda    %f16, [%o1 + 64] %asi
        lda     [%o1 + %o2] 0x80, %o3
        ldd     [%o0], %o2
        std     %o2, [%o0 + 8]
        brz,a,pn %o1, start
        bne,pn  %xcc, start
        fbule,a %fcc2, start
        fbne    start
        bz,a    start
1:      cwbne   %o1, 5, 1b
        cxbgu   %o1, %o2, 1f
        ta      0x6d
        tne     %xcc, %o1 + 5
1:      movre   %o1, 5, %o2
        movlu   %icc, %o1, %o2
        fmovdule %fcc1, %f2, %f40
        fmovrdnz %o1, %f2, %f4
        fcmpd   %f2, %f62
        fcmpes  %fcc3, %f1, %f2
        fmaddd  %f2, %f4, %f6, %f8
        fpadd16 %f2, %f4, %f6
        fandnot1 %f2, %f4, %f6
        fcmpgt16 %f2, %f4, %o0
        edge8   %o0, %o1, %o2
        alignaddr %o0, %g0, %o1
        movxtod %o1, %f4
        addxc   %o1, %o2, %o3
        save    %sp, -176, %sp
        return  %i7 + 8
        restore %g0, 5, %o0
        wr      %g0, 0x80, %asi
        rd      %tick, %o0
        flush   %o0 + 8
        call    elsewhere + 4
        call    %g1 + 8
        jmpl    %o0 + %o1, %o7
        ret
        restore
        retl
        nop
        .word   start, . - start
        .xword  start + 8, elsewhere
        .align  32
        .half   1f - 1b
        .byte   'A, 2 + 3 * 4 | 1
1:      .skip   4
        .section .tbss,"awT",@nobits
local:  .skip 8
        .text
        sethi   %tgd_hi22(local), %o0
        add     %o0, %tgd_lo10(local), %o0
        add     %l7, %o0, %o0, %tgd_add(local)
        call    __tls_get_addr, %tgd_call(local)
        nop
        sethi   %tldm_hi22(local), %o0
        add     %o0, %tldm_lo10(local), %o0
        add     %l7, %o0, %o0, %tldm_add(local)
        call    __tls_get_addr, %tldm_call(local)
        nop
        sethi   %tldo_hix22(local), %o1
        xor     %o1, %tldo_lox10(local), %o1
        add     %o0, %o1, %o0, %tldo_add(local)
        sethi   %tie_hi22(other), %o1
        add     %o1, %tie_lo10(other), %o1
        ld      [%l7 + %o1], %o2, %tie_ld(other)
        ldx     [%l7 + %o1], %o2, %tie_ldx(other)
        add     %g7, %o2, %o0, %tie_add(other)
        sethi   %tle_hix22(local+4), %o1
        xor     %o1, %tle_lox10(local+4), %o1
        sethi   %pc22(_GLOBAL_OFFSET_TABLE_-4), %l7
        add     %l7, %pc10(_GLOBAL_OFFSET_TABLE_+4), %l7
        .data
        .align  8
        .word   %r_tls_dtpoff32(local), %r_disp32(elsewhere + 8), %r_plt32(start), %r_disp32(start)
        .xword  %r_tls_dtpoff64(local), %r_disp64(start), %r_plt64(elsewhere)
)";
  const ScratchFile text(".s"), object(".o");
  std::ofstream(text.name()) << kText;
  ASSERT_EQ(std::system(("sparc64-linux-gnu-as -Av9m -o " + object.name() + " " + text.name()).c_str()), 0);
  const std::string made = assembler::object(assemble(kText));
  const ObjectFile ours = object_of(made), theirs = object_of(contents(object.name()));
  expect_same(ours, theirs, "text by hand");
}

}  // namespace
}  // namespace psim::isa::assembler
