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
    parent = ::mkdtemp(name.data());
  }
  ~Abandoned() override { fs::remove_all(parent); }
  fs::path parent;
};

TEST_F(Abandoned, AFolderIsRemovedWithAllThatIsInIt) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::make(parent, "of-test-");
    ASSERT_TRUE(folder);
    path = folder->path();
    fs::create_directory(path / "inner");
    std::ofstream(path / "inner" / "file") << "text";
  }
  EXPECT_TRUE(fs::is_empty(parent)) << path;
}

TEST_F(Abandoned, FilesOfAKilledProcessAreRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto folder = TemporaryFolder::make(parent, "of-test-");
    std::ofstream(fs::path(folder->path()) / "file") << "text";
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(std::distance(fs::directory_iterator(parent), {}), 1) << "the child made no folder";
  const auto folder = TemporaryFolder::make(parent, "of-test-");
  ASSERT_TRUE(folder);
  EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 1);
  EXPECT_TRUE(fs::is_empty(folder->path()));
}

TEST_F(Abandoned, FilesThatALivingProcessUsesStay) {
  const auto first = TemporaryFolder::make(parent, "of-test-");
  const auto second = TemporaryFolder::make(parent, "of-test-");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(fs::exists(first->path()));
  std::ofstream(parent / "of-test-abcdef") << "text";
  const LockHandle file(::open((parent / "of-test-abcdef").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(file.descriptor(), LOCK_EX), 0);
  remove_abandoned(parent, "of-test-", AbandonedKind::Folders);
  remove_abandoned(parent, "of-test-", AbandonedKind::Files);
  EXPECT_TRUE(fs::exists(first->path()) && fs::exists(second->path()) &&
              fs::exists(parent / "of-test-abcdef"));
}

TEST_F(Abandoned, OtherNamesAndLinksStay) {
  fs::create_directory(parent / "other");
  std::ofstream(parent / "other" / "file") << "text";
  fs::create_symlink(parent / "other", parent / "of-test-linked");
  std::ofstream(parent / "of-test-abcdef") << "text";
  std::ofstream(parent / "of-test-notes.txt") << "text";
  fs::create_directory(parent / "of-test-folder");
  remove_abandoned(parent, "of-test-", AbandonedKind::Files);
  EXPECT_TRUE(fs::exists(parent / "of-test-notes.txt") && fs::exists(parent / "of-test-folder"));
  EXPECT_TRUE(fs::exists(parent / "other" / "file"));
  EXPECT_TRUE(fs::is_symlink(parent / "of-test-linked"));
  EXPECT_FALSE(fs::exists(parent / "of-test-abcdef")) << "no process holds it locked";
}

TEST_F(Abandoned, AFolderThatCannotBeMadeIsNone) {
  EXPECT_FALSE(TemporaryFolder::make(parent / "absent", "of-test-"));
}

}  // namespace
}  // namespace psim
