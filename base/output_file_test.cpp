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
    place = ::mkdtemp(name.data());
  }
  ~OutputFileTest() override {
    fs::permissions(place, fs::perms::owner_all);
    fs::remove_all(place);
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(place), fs::directory_iterator{}));
  }
  void write(const fs::path& path, std::string_view text = "new") const {
    OutputFile file(path, "--json", false, GetParam());
    file.write(text);
    file.commit();
  }
  fs::path place;
};

TEST_P(OutputFileTest, NothingIsInTheFolderBeforeTheFileIsWhole) {
  std::ofstream(place / "old") << "old";
  {
    OutputFile created(place / "new", "--json", false, GetParam());
    OutputFile replaced(place / "old", "--json", false, GetParam());
    created.write("new"), replaced.write("new");
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(text_of(place / "old"), "old");
    created.commit(), replaced.commit();
  }
  EXPECT_EQ(text_of(place / "new"), "new");
  EXPECT_EQ(text_of(place / "old"), "new");
  EXPECT_EQ(files(), 2u);
}

TEST_P(OutputFileTest, WithoutCommitNothingRemains) {
  { OutputFile(place / "new", "--json", false, GetParam()).write("half"); }
  EXPECT_TRUE(fs::is_empty(place));
}

TEST_P(OutputFileTest, LinksAreFollowedAndStay) {
  fs::create_directory(place / "folder");
  std::ofstream(place / "folder" / "target") << "old";
  fs::create_symlink("folder/target", place / "link");
  fs::create_symlink("link", place / "second");
  fs::create_symlink("folder/absent", place / "dangling");
  write(place / "second");
  write(place / "dangling");
  EXPECT_TRUE(fs::is_symlink(place / "link") && fs::is_symlink(place / "second"));
  EXPECT_TRUE(fs::is_symlink(place / "dangling"));
  EXPECT_EQ(text_of(place / "folder" / "target"), "new");
  EXPECT_EQ(text_of(place / "folder" / "absent"), "new");
  fs::create_symlink("round", place / "round");
  EXPECT_THAT([&] { write(place / "round"); }, ThrowsMessage<UserError>(HasSubstr("symbolic links")));
}

TEST_P(OutputFileTest, PipesAndDevicesAreWrittenAndStay) {
  const fs::path pipe = place / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", place / "link");
  std::string read;
  std::thread reader([&] { read = text_of(pipe); });
  write(place / "link");
  reader.join();
  EXPECT_EQ(read, "new");
  EXPECT_TRUE(fs::is_fifo(pipe));
  fs::create_symlink("/dev/null", place / "null");  // the device itself must not be in danger, even for root
  write(place / "null");
  EXPECT_TRUE(fs::is_symlink(place / "null") && fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", place / "full");
  EXPECT_THAT([&] { write(place / "full"); }, ThrowsMessage<UserError>(HasSubstr("No space left on device")));
}

TEST_P(OutputFileTest, InheritedDescriptorsKeepTheirPosition) {
  const fs::path path = place / "shared";
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

TEST_P(OutputFileTest, ALinkPutInThePlaceOfTheFileIsReplacedAndNotFollowed) {
  std::ofstream(place / "victim") << "old";
  OutputFile file(place / "new", "--json", false, GetParam());
  fs::create_symlink("victim", place / "new");
  file.write("new");
  file.commit();
  EXPECT_FALSE(fs::is_symlink(place / "new"));
  EXPECT_EQ(text_of(place / "new"), "new");
  EXPECT_EQ(text_of(place / "victim"), "old");
}

TEST_P(OutputFileTest, AFolderMovedAwayIsNoticed) {
  fs::create_directories(place / "folder"), fs::create_directory(place / "other");
  OutputFile file(place / "folder" / "new", "--json", false, GetParam());
  fs::rename(place / "folder", place / "moved");
  fs::create_symlink("other", place / "folder");
  file.write("new");
  EXPECT_THAT([&] { file.commit(); }, ThrowsMessage<UserError>(HasSubstr("leads elsewhere")));
  EXPECT_TRUE(fs::is_empty(place / "other"));
}

TEST_P(OutputFileTest, AFolderPutInThePlaceOfTheFileIsAnErrorThatLeavesNothing) {
  OutputFile file(place / "new", "--json", false, GetParam());
  fs::create_directory(place / "new");
  EXPECT_THROW(file.commit(), UserError);
  EXPECT_EQ(files(), 1u);
}

TEST_P(OutputFileTest, PathsThatCannotBeWrittenAreRefusedBeforeTheRun) {
  for (const char* wrong : {"", "/", "/tmp/", ".", "/tmp/.."})
    EXPECT_THAT([&] { write(wrong); }, ThrowsMessage<UserError>(HasSubstr("is a directory"))) << wrong;
  EXPECT_THAT([&] { write(place); }, ThrowsMessage<UserError>(HasSubstr("s a directory")));
  EXPECT_THAT([&] { write(place / "absent" / "file"); },
              ThrowsMessage<UserError>(HasSubstr("No such file or directory")));
  EXPECT_THAT([&] { write("/proc/file"); }, ThrowsMessage<UserError>(HasSubstr("cannot create")));
}

TEST_P(OutputFileTest, WhatAKilledProcessLeftIsRemoved) {
  std::ofstream(place / (OutputFile::kPrefix + std::string("aB3xyz"))) << "half";
  write(place / "new");
  EXPECT_EQ(files(), 1u);
}

TEST_P(OutputFileTest, ModeIsAsTheShellWouldMakeIt) {
  const mode_t before = ::umask(027);
  OutputFile program(place / "program", "--output", true, GetParam());
  program.commit();
  write(place / "text");
  ::umask(before);
  EXPECT_EQ(fs::status(place / "program").permissions(), fs::perms{0750});
  EXPECT_EQ(fs::status(place / "text").permissions(), fs::perms{0640});
}

INSTANTIATE_TEST_SUITE_P(Files, OutputFileTest, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Copied" : "Nameless"; });

}  // namespace
}  // namespace psim
