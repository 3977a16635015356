// SPDX-License-Identifier: Apache-2.0
#include "isa/doc/markdown.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace psim::isa {
namespace {

TEST(IsaDocument, TheCommittedFileEqualsTheTable) {
  std::ifstream file(PSIM_SOURCE_DIR "/docs/isa.md");
  ASSERT_TRUE(file) << "docs/isa.md is missing";
  std::stringstream committed;
  committed << file.rdbuf();
  EXPECT_TRUE(committed.str() == isa_markdown()) << "renew it: build/release/isa/isa_doc > docs/isa.md";
}

}  // namespace
}  // namespace psim::isa
