// SPDX-License-Identifier: Apache-2.0
#include "base/config/machine_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/config/print.h"
#include "base/config/schema.h"

namespace psim {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct MachineFilesTest : ::testing::Test {
  MachineFilesTest() {
    std::string name = (fs::temp_directory_path() / "psim-machines-XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }
  ~MachineFilesTest() override { fs::remove_all(directory); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory / name) << text;
    return directory / name;
  }
  std::vector<std::string> load(const std::string& name) {
    Problems problems;
    settings = load_machine_settings(name, problems);
    return problems.lines();
  }
  fs::path directory;
  std::vector<Setting> settings;
};

TEST_F(MachineFilesTest, AMachineGivesOnlyTheKeysThatDifferFromItsBase) {
  write("small.toml", "a = 1\nb = 1\n");
  const std::string path = write("large.toml", "base = \"small\"\nb = 2\n");
  EXPECT_THAT(load(path), IsEmpty());
  ASSERT_EQ(settings.size(), 3u);
  EXPECT_EQ(settings[0].key, "a");
  EXPECT_EQ(settings[1].value, "1");
  EXPECT_EQ(settings[2].value, "2") << "the base comes first, so that the machine wins";
}

TEST_F(MachineFilesTest, ACircleOfBasesIsReportedAtItsLine) {
  write("a.toml", "\nbase = \"b.toml\"");
  write("b.toml", "base = \"a.toml\"");
  EXPECT_THAT(load(directory / "a.toml"),
              ElementsAre(HasSubstr("b.toml:1: base = \"a.toml\": a machine cannot be its own base")));
}

TEST_F(MachineFilesTest, AMissingMachineIsReportedWithTheNearestName) {
  EXPECT_THAT(load("sparc64"), ElementsAre("machine sparc64: unknown; did you mean sparc64v?"));
  EXPECT_THAT(load("./none.toml"), ElementsAre("machine ./none.toml: no such file"));
  EXPECT_THAT(load(write("c.toml", "base = \"sparc64w\"")),
              ElementsAre(HasSubstr("c.toml:1: machine sparc64w: unknown; did you mean sparc64v?")));
  EXPECT_THAT(load(write("d.toml", "base = 7")), ElementsAre(HasSubstr("d.toml:1: base: expected the name")));
}

TEST_F(MachineFilesTest, APathThatIsNoFileIsReportedAndDoesNotHang) {
  fs::create_directory(directory / "dir.toml");
  EXPECT_THAT(load(directory / "dir.toml"), ElementsAre(HasSubstr("is a directory")));
  EXPECT_THAT(load("/dev/zero"), ElementsAre(HasSubstr("/dev/zero: cannot be read: has more than 1 MiB")));
}

TEST(ConfigPrint, APrintedConfigurationReadsBackAsItself) {
  struct Values {
    std::uint32_t ways = 2;
    Bytes size = 1_KiB;
    double share = 0.1;
    std::string text;
  };
  const auto describe = [](Schema& schema, Values& values) {
    schema.section("core.l1", "cache");
    schema.add("core.l1.ways", values.ways, {1, 64}, "associativity", "paper");
    schema.add("text", values.text, "any", kAssumption);
    schema.add("core.l1.size", values.size, {1_KiB, 1_MiB}, "capacity", "paper");
    schema.add("core.share", values.share, {0, 1}, "share", kAssumption);
  };
  Values values{.ways = 8, .size = 384_KiB, .share = 0.3, .text = "a \"quoted\"\n\\ line"};
  Schema schema;
  describe(schema, values);
  Values copy;
  Schema reread;
  describe(reread, copy);
  Problems problems;
  reread.apply(read_toml(config_toml(schema), "printed", problems), problems);
  EXPECT_THAT(problems.lines(), IsEmpty()) << config_toml(schema);
  EXPECT_EQ(copy.ways, values.ways);
  EXPECT_EQ(copy.size, values.size);
  EXPECT_EQ(copy.share, values.share);
  EXPECT_EQ(copy.text, values.text);
  EXPECT_THAT(config_manual(schema), HasSubstr("| `ways` | `8` | 1 … 64 | associativity | paper |"));
}

}  // namespace
}  // namespace psim
