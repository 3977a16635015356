// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"

namespace psim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Each rule must hold both on hosts with nameless files and without them.
struct OutputFileTest : ::testing::TestWithParam<bool> {
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "psim-output-file-XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~OutputFileTest() override {
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
  }
  void write(const fs::path& path, std::string_view text = "new") const {
    OutputFile file(path, "--json", false, GetParam());
    file.write(text);
    file.commit();
  }
  fs::path folder;
};

TEST_P(OutputFileTest, NothingIsInTheFolderBeforeTheFileIsComplete) {
  std::ofstream(folder / "old") << "old";
  {
    OutputFile created(folder / "new", "--json", false, GetParam());
    OutputFile replaced(folder / "old", "--json", false, GetParam());
    created.write("new"), replaced.write("new");
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(text_of(folder / "old"), "old");
    created.commit(), replaced.commit();
  }
  EXPECT_EQ(text_of(folder / "new"), "new");
  EXPECT_EQ(text_of(folder / "old"), "new");
  EXPECT_EQ(files(), 2u);
}

TEST_P(OutputFileTest, WithoutCommitNothingRemains) {
  { OutputFile(folder / "new", "--json", false, GetParam()).write("half"); }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_P(OutputFileTest, ACopyOfTheProcessLeavesFilesToTheOriginalAndRenewsSome) {
  OutputFile result(folder / "result", "--json", false, GetParam());
  OutputFile other(folder / "other", "--csv", false, GetParam());
  OutputFile device("/dev/null", "--report", false, GetParam());
  result.write("whole "), other.write("whole ");
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile::leave_to_original();
    other.write("lost"), other.commit();
    bool good = result.renew() && !device.renew() && OutputFile::committed() == 0;
    result.write("so far"), result.commit();
    good = good && OutputFile::committed() == 1;
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text_of(folder / "result"), "so far");
  EXPECT_FALSE(fs::exists(folder / "other"));
  EXPECT_TRUE(result.renew()) << "the original's own file";
  result.write("run"), other.write("run");
  result.commit(), other.commit();
  EXPECT_EQ(text_of(folder / "result"), "whole run");
  EXPECT_EQ(text_of(folder / "other"), "whole run");
  EXPECT_EQ(files(), 2u);
}

TEST_P(OutputFileTest, LinksAreFollowedAndStay) {
  fs::create_directory(folder / "folder");
  std::ofstream(folder / "folder" / "target") << "old";
  fs::create_symlink("folder/target", folder / "link");
  fs::create_symlink("link", folder / "second");
  fs::create_symlink("folder/absent", folder / "dangling");
  write(folder / "second");
  write(folder / "dangling");
  EXPECT_TRUE(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "second"));
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(text_of(folder / "folder" / "target"), "new");
  EXPECT_EQ(text_of(folder / "folder" / "absent"), "new");
  fs::create_symlink("round", folder / "round");
  EXPECT_THAT([&] { write(folder / "round"); }, ThrowsMessage<UserError>(HasSubstr("symbolic links")));
}

TEST_P(OutputFileTest, PipesAndDevicesAreWrittenAndStay) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  std::string read;
  std::thread reader([&] { read = text_of(pipe); });
  write(folder / "link");
  reader.join();
  EXPECT_EQ(read, "new");
  EXPECT_TRUE(fs::is_fifo(pipe));
  fs::create_symlink("/dev/null", folder / "null");  // the device itself must not be in danger, even for root
  write(folder / "null");
  EXPECT_TRUE(fs::is_symlink(folder / "null") && fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", folder / "full");
  EXPECT_THAT([&] { write(folder / "full"); },
              ThrowsMessage<UserError>(HasSubstr("No space left on device")));
}

TEST_P(OutputFileTest, InheritedDescriptorsKeepTheirPosition) {
  const fs::path path = folder / "shared";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(descriptor, "before ", 7), 7);
  write(fs::path("/dev/fd") / std::to_string(descriptor));
  ASSERT_EQ(::write(descriptor, " after", 6), 6);
  ::close(descriptor);
  EXPECT_EQ(text_of(path), "before new after");
  const int read_only = ::open(path.c_str(), O_RDONLY), own = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  for (const int refused : {read_only, own})
    EXPECT_THAT([&] { write(fs::path("/dev/fd") / std::to_string(refused)); },
                ThrowsMessage<UserError>(HasSubstr("Bad file descriptor")));
  ::close(read_only), ::close(own);
}

TEST_P(OutputFileTest, ALinkThatReplacesTheFileIsReplacedAndNotFollowed) {
  std::ofstream(folder / "victim") << "old";
  OutputFile file(folder / "new", "--json", false, GetParam());
  fs::create_symlink("victim", folder / "new");
  file.write("new");
  file.commit();
  EXPECT_FALSE(fs::is_symlink(folder / "new"));
  EXPECT_EQ(text_of(folder / "new"), "new");
  EXPECT_EQ(text_of(folder / "victim"), "old");
}

TEST_P(OutputFileTest, AFolderMovedAwayIsNoticed) {
  fs::create_directories(folder / "folder"), fs::create_directory(folder / "other");
  OutputFile file(folder / "folder" / "new", "--json", false, GetParam());
  fs::rename(folder / "folder", folder / "moved");
  fs::create_symlink("other", folder / "folder");
  file.write("new");
  EXPECT_THAT([&] { file.commit(); }, ThrowsMessage<UserError>(HasSubstr("leads elsewhere")));
  EXPECT_TRUE(fs::is_empty(folder / "other"));
}

TEST_P(OutputFileTest, AFolderThatReplacesTheFileIsAnErrorThatLeavesNothing) {
  OutputFile file(folder / "new", "--json", false, GetParam());
  fs::create_directory(folder / "new");
  EXPECT_THROW(file.commit(), UserError);
  EXPECT_EQ(files(), 1u);
}

TEST_P(OutputFileTest, PathsThatCannotBeWrittenAreRefusedBeforeTheRun) {
  for (const char* wrong : {"", "/", "/tmp/", ".", "/tmp/.."})
    EXPECT_THAT([&] { write(wrong); }, ThrowsMessage<UserError>(HasSubstr("is a directory"))) << wrong;
  EXPECT_THAT([&] { write(folder); }, ThrowsMessage<UserError>(HasSubstr("s a directory")));
  EXPECT_THAT([&] { write(folder / "absent" / "file"); },
              ThrowsMessage<UserError>(HasSubstr("No such file or directory")));
  EXPECT_THAT([&] { write("/proc/file"); }, ThrowsMessage<UserError>(HasSubstr("cannot create")));
}

TEST_P(OutputFileTest, FilesOfAKilledProcessAreRemoved) {
  std::ofstream(folder / (OutputFile::kPrefix + std::string("aB3xyz"))) << "half";
  write(folder / "new");
  EXPECT_EQ(files(), 1u);
}

TEST_P(OutputFileTest, ModeIsAsTheShellWouldMakeIt) {
  const mode_t before = ::umask(027);
  OutputFile program(folder / "program", "--output", true, GetParam());
  program.commit();
  write(folder / "text");
  ::umask(before);
  EXPECT_EQ(fs::status(folder / "program").permissions(), fs::perms{0750});
  EXPECT_EQ(fs::status(folder / "text").permissions(), fs::perms{0640});
}

INSTANTIATE_TEST_SUITE_P(Files, OutputFileTest, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Copied" : "Nameless"; });

}  // namespace
}  // namespace psim
