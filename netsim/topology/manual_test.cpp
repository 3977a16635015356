// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/manual.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace psim::net {
namespace {

TEST(TopologiesManual, IsInTheCommittedPage) {
  // Renewed by: psim net --topologies, below the first heading of the second level.
  std::ifstream file(PSIM_SOURCE_DIR "/docs/topology-list.md");
  const std::string committed((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(committed.find(topologies_manual()), std::string::npos) << topologies_manual();
}

}  // namespace
}  // namespace psim::net
