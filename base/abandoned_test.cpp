// SPDX-License-Identifier: Apache-2.0
#include "base/abandoned.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace psim {
namespace {

namespace fs = std::filesystem;

struct Abandoned : ::testing::Test {
  Abandoned() {
    std::string name = (fs::temp_directory_path() / "psim-abandoned-XXXXXX").string();
    place = ::mkdtemp(name.data());
  }
  ~Abandoned() override { fs::remove_all(place); }
  fs::path place;
};

TEST_F(Abandoned, AFolderIsRemovedWithAllThatIsInIt) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::make(place, "of-test-");
    ASSERT_TRUE(folder);
    path = folder->path();
    fs::create_directory(path / "inner");
    std::ofstream(path / "inner" / "file") << "text";
  }
  EXPECT_TRUE(fs::is_empty(place)) << path;
}

TEST_F(Abandoned, WhatAKilledProcessLeftIsRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto folder = TemporaryFolder::make(place, "of-test-");
    std::ofstream(fs::path(folder->path()) / "file") << "text";
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(std::distance(fs::directory_iterator(place), {}), 1) << "the child made no folder";
  const auto folder = TemporaryFolder::make(place, "of-test-");
  ASSERT_TRUE(folder);
  EXPECT_EQ(std::distance(fs::directory_iterator(place), {}), 1);
  EXPECT_TRUE(fs::is_empty(folder->path()));
}

TEST_F(Abandoned, WhatALivingProcessUsesStays) {
  const auto first = TemporaryFolder::make(place, "of-test-");
  const auto second = TemporaryFolder::make(place, "of-test-");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(fs::exists(first->path()));
  std::ofstream(place / "of-test-abcdef") << "text";
  const LockHandle file(::open((place / "of-test-abcdef").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(file.descriptor(), LOCK_EX), 0);
  remove_abandoned(place, "of-test-", AbandonedKind::Folders);
  remove_abandoned(place, "of-test-", AbandonedKind::Files);
  EXPECT_TRUE(fs::exists(first->path()) && fs::exists(second->path()) &&
              fs::exists(place / "of-test-abcdef"));
}

TEST_F(Abandoned, OtherNamesAndLinksStay) {
  fs::create_directory(place / "other");
  std::ofstream(place / "other" / "file") << "text";
  fs::create_symlink(place / "other", place / "of-test-linked");
  std::ofstream(place / "of-test-abcdef") << "text";
  std::ofstream(place / "of-test-notes.txt") << "text";
  fs::create_directory(place / "of-test-folder");
  remove_abandoned(place, "of-test-", AbandonedKind::Files);
  EXPECT_TRUE(fs::exists(place / "of-test-notes.txt") && fs::exists(place / "of-test-folder"));
  EXPECT_TRUE(fs::exists(place / "other" / "file"));
  EXPECT_TRUE(fs::is_symlink(place / "of-test-linked"));
  EXPECT_FALSE(fs::exists(place / "of-test-abcdef")) << "nobody holds it locked";
}

TEST_F(Abandoned, AFolderThatCannotBeMadeIsNone) {
  EXPECT_FALSE(TemporaryFolder::make(place / "absent", "of-test-"));
}

}  // namespace
}  // namespace psim
