// SPDX-License-Identifier: Apache-2.0
#include "guest/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"

namespace psim::isa {
namespace {

namespace fs = std::filesystem;

// Creates outside/secret next to inside/, which is the guest's root.
class SandboxTest : public ::testing::Test {
 protected:
  SandboxTest() {
    char name[] = "/tmp/psim-sandbox-test-XXXXXX";
    base_ = ::mkdtemp(name);
    fs::create_directories(base_ / "outside");
    fs::create_directories(base_ / "inside/dir/deep");
    std::ofstream(base_ / "outside/secret") << "secret";
    std::ofstream(base_ / "inside/file") << "open";
    sandbox_ = std::make_unique<Sandbox>(SandboxOptions{.root = inside().string(), .binds = {}});
  }
  ~SandboxTest() override { fs::remove_all(base_); }
  fs::path inside() const { return base_ / "inside"; }

  // Opens the path as resolved and returns the file's content, or the error as "errno N".
  std::string read(const std::string& path, const std::string& from = "/") {
    PathTarget target;
    if (const int error = sandbox_->resolve(from, path, true, target))
      return "errno " + std::to_string(error);
    if (target.kind != PathTarget::Kind::Host) return target.guest;
    const UniqueFd file(::openat(target.parent.get(), target.name.c_str(), O_RDONLY | O_NOFOLLOW));
    if (!file) return "errno " + std::to_string(errno);
    char text[64];
    const ssize_t size = ::read(file.get(), text, sizeof text);
    return size < 0 ? "errno " + std::to_string(errno) : std::string(text, static_cast<std::size_t>(size));
  }
  void link(const std::string& target, const std::string& name) {
    fs::create_symlink(target, inside() / name);
  }

  fs::path base_;
  std::unique_ptr<Sandbox> sandbox_;
};

const std::string kMissing = "errno " + std::to_string(ENOENT);

TEST_F(SandboxTest, FilesBelowTheRootAreFound) {
  EXPECT_EQ(read("/file"), "open");
  EXPECT_EQ(read("file"), "open");
  EXPECT_EQ(read("../../file", "/dir/deep"), "open");
  EXPECT_EQ(read("/dir/./deep//../../file"), "open");
}

TEST_F(SandboxTest, DotDotStopsAtTheRoot) {
  EXPECT_EQ(read("../outside/secret"), kMissing);
  EXPECT_EQ(read("/../../../../../../etc/passwd"), kMissing);
  EXPECT_EQ(read("/../../file"), "open");
  EXPECT_EQ(read((base_ / "outside/secret").string()), kMissing);
}

TEST_F(SandboxTest, SymbolicLinksAreReadInTheGuestsTree) {
  link((base_ / "outside/secret").string(), "absolute");
  link("../outside/secret", "relative");
  link("../../../../../../../../../../../../etc/passwd", "far");
  link(base_.string(), "directory");
  link("/file", "good");
  link("dir/deep", "into");
  EXPECT_EQ(read("/absolute"), kMissing);
  EXPECT_EQ(read("/relative"), kMissing);
  EXPECT_EQ(read("/far"), kMissing);
  EXPECT_EQ(read("/directory/outside/secret"), kMissing);
  EXPECT_EQ(read("/good"), "open");
  EXPECT_EQ(read("/into/../../file"), "open");
}

TEST_F(SandboxTest, EndlessLinksEnd) {
  link("loop", "loop");
  link("b/x", "a");
  link("a/x", "b");
  EXPECT_EQ(read("/loop"), "errno " + std::to_string(ELOOP));
  EXPECT_EQ(read("/a"), "errno " + std::to_string(ELOOP));
}

TEST_F(SandboxTest, MagicLinksOfABoundProcAreOnlyText) {
  const UniqueFd held(::open((base_ / "outside").c_str(), O_RDONLY | O_DIRECTORY));
  Sandbox sandbox(SandboxOptions{.root = inside().string(), .binds = {{"/proc", "/proc", false}}});
  const std::string paths[] = {"/proc/self/fd/" + std::to_string(held.get()) + "/secret",
                               "/proc/self/root" + base_.string() + "/outside/secret",
                               std::string("/proc/self/cwd/CMakeLists.txt"),
                               "/proc/1/root" + base_.string() + "/outside/secret"};
  for (const std::string& path : paths) {
    PathTarget target;
    const int error = sandbox.resolve("/", path, true, target);
    if (error != 0) continue;
    struct stat status;
    EXPECT_NE(::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW), 0) << path;
  }
}

TEST_F(SandboxTest, ADirectoryThatBecomesALinkDuringTheWalkLeadsNowhere) {
  std::atomic<bool> stop = false;
  std::thread attacker([&] {
    while (!stop) {
      fs::rename(inside() / "dir", inside() / "kept");
      fs::create_directory_symlink(base_ / "outside", inside() / "dir");
      fs::remove(inside() / "dir");
      fs::rename(inside() / "kept", inside() / "dir");
    }
  });
  for (int i = 0; i < 5000; ++i) {
    EXPECT_NE(read("/dir/secret"), "secret");
    EXPECT_NE(read("/dir/deep/../../outside/secret"), "secret");
    EXPECT_NE(read("/dir/../../outside/secret"), "secret");
  }
  stop = true;
  attacker.join();
}

TEST_F(SandboxTest, BindsShowDirectoriesAndKeepTheirPermission) {
  Sandbox sandbox(
      SandboxOptions{.root = inside().string(), .binds = {{(base_ / "outside").string(), "/a/b", false}}});
  PathTarget target;
  ASSERT_EQ(sandbox.resolve("/", "/a/b/secret", true, target), 0);
  EXPECT_FALSE(target.writable);
  ASSERT_EQ(sandbox.resolve("/", "/a/b/../../file", true, target), 0);
  EXPECT_TRUE(target.writable);
  ASSERT_EQ(sandbox.resolve("/", "/a", true, target), 0);
  EXPECT_EQ(target.kind, PathTarget::Kind::Virtual);
  EXPECT_EQ(sandbox.added_names("/a"), std::vector<std::string>{"b"});
}

TEST_F(SandboxTest, ATrailingSlashRequiresADirectory) {
  EXPECT_EQ(read("/file/"), "errno " + std::to_string(ENOTDIR));
  EXPECT_EQ(read("/file/x"), "errno " + std::to_string(ENOTDIR));
  EXPECT_EQ(read(""), kMissing);
  EXPECT_EQ(read(std::string(300, 'a')), "errno " + std::to_string(ENAMETOOLONG));
}

TEST_F(SandboxTest, TheTemporaryDirectoryIsPrivateAndGoesAway) {
  std::string host;
  {
    Sandbox sandbox(SandboxOptions{});
    PathTarget target;
    ASSERT_EQ(sandbox.resolve("/", "/tmp/file", true, target), 0);
    EXPECT_TRUE(sandbox.has_temporary());
    char path[4096];
    const ssize_t size =
        ::readlink(("/proc/self/fd/" + std::to_string(target.parent.get())).c_str(), path, sizeof path);
    ASSERT_GT(size, 0);
    host.assign(path, static_cast<std::size_t>(size));
    EXPECT_NE(host, "/tmp");
    EXPECT_TRUE(fs::exists(host));
  }
  EXPECT_FALSE(fs::exists(host));
}

TEST_F(SandboxTest, AFileCannotBeGivenAsADirectory) {
  EXPECT_THROW(Sandbox(SandboxOptions{.root = (base_ / "nope").string(), .binds = {}}), UserError);
  EXPECT_THROW(Sandbox(SandboxOptions{.root = (inside() / "file").string(), .binds = {}}), UserError);
  EXPECT_THROW(Sandbox(SandboxOptions{.root = "", .binds = {{base_.string(), "relative", true}}}), UserError);
}

}  // namespace
}  // namespace psim::isa
