// SPDX-License-Identifier: Apache-2.0
#include "isa/doc/markdown.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "isa/spec.h"

namespace psim::isa {
namespace {

TEST(IsaDocument, TheCommittedFileIsWhatTheTableSays) {
  std::ifstream file(PSIM_SOURCE_DIR "/docs/isa.md");
  ASSERT_TRUE(file) << "docs/isa.md is missing";
  std::stringstream committed;
  committed << file.rdbuf();
  EXPECT_TRUE(committed.str() == isa_markdown()) << "renew it: build/release/isa/isa_doc > docs/isa.md";
}

TEST(IsaDocument, TheRoomOfTheSimdExtensionIsFree) {
  const auto free = [](std::uint32_t op, std::uint32_t op3, std::uint32_t low) {
    return decode(op << 30 | 6u << 25 | op3 << 19 | 10u << 14 | low).op == Op::Illegal;
  };
  for (std::uint32_t opf = 0x90; opf < 0x100; ++opf) EXPECT_TRUE(free(2, 0x36, opf << 5 | 12)) << opf;
  for (const std::uint32_t op5 : {0x3u, 0x7u, 0x8u, 0xbu}) EXPECT_TRUE(free(2, 0x37, op5 << 5 | 12)) << op5;
  for (const std::uint32_t op3 : {0x28u, 0x29u, 0x2au, 0x2bu, 0x38u, 0x39u, 0x3au, 0x3bu}) {
    EXPECT_TRUE(free(3, op3, 12)) << op3;
    EXPECT_TRUE(free(3, op3, 0x200c)) << op3;
  }
}

}  // namespace
}  // namespace psim::isa
