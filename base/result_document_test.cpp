// SPDX-License-Identifier: Apache-2.0
#include "base/result_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/config/schema.h"
#include "base/error.h"

namespace psim {
namespace {

namespace fs = std::filesystem;

struct ResultDocumentTest : ::testing::Test {
  ResultDocumentTest() {
    std::string name = (fs::temp_directory_path() / "psim-result-XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }
  ~ResultDocumentTest() override { fs::remove_all(directory); }
  fs::path directory;
};

std::string identity(double host_figure, int cycles) {
  ResultDocument result("run", "");
  result.seed(7);
  result.body()["cycles"] = cycles;
  result.host()["instructions_per_second"] = host_figure;
  result.input("program", "/anywhere/" + std::to_string(host_figure), "bytes");
  result.finish();
  return nlohmann::json::parse(result.text()).at("result_hash");
}

TEST_F(ResultDocumentTest, TheHashCoversEverythingButTheHost) {
  EXPECT_EQ(identity(1.0, 100), identity(2.0, 100));
  EXPECT_NE(identity(1.0, 100), identity(1.0, 101));
}

TEST_F(ResultDocumentTest, TheFileHasTheCommonKeysAndTheMachine) {
  std::uint32_t ways = 4;
  Bytes size = 128_KiB;
  bool shared = true;
  Schema schema;
  schema.add("l2.ways", ways, {1, 16}, "associativity", kAssumption);
  schema.add("l2.size", size, {1_KiB, 1_GiB}, "capacity", kAssumption);
  schema.add("l2.shared", shared, "by all cores", kAssumption);
  const std::string path = directory / "r.json";
  ResultDocument result("run", path);
  result.machine("m", schema);
  EXPECT_FALSE(fs::exists(path)) << "a result appears only when it is complete";
  result.finish();
  const auto json = nlohmann::json::parse(std::ifstream(path));
  for (const char* key : {"schema", "version", "command", "machine", "inputs", "seed", "result_hash", "host"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"wall_seconds", "cpu_seconds", "peak_rss_bytes", "processes"})
    EXPECT_TRUE(json.at("host").contains(key)) << key;
  EXPECT_EQ(json.at("machine"),
            nlohmann::json::parse(R"({"name": "m", "l2": {"ways": 4, "size": "128 KiB", "shared": true}})"));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator{}), 1);
}

TEST_F(ResultDocumentTest, AnUnwritablePathIsReportedBeforeTheRun) {
  EXPECT_THAT([&] { ResultDocument("run", directory / "none" / "r.json"); },
              ::testing::ThrowsMessage<UserError>(::testing::HasSubstr("No such file or directory")));
}

TEST_F(ResultDocumentTest, ARunThatThrowsLeavesNoHalfFile) {
  { ResultDocument result("run", directory / "r.json"); }
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(ResultDocumentTest, NamesThatAreNotUtf8DoNotBreakTheResult) {
  ResultDocument result("run", directory / "r.json");
  result.input("program", "\xff\xfe", "bytes");
  result.finish();
  EXPECT_TRUE(nlohmann::json::accept(std::ifstream(directory / "r.json")));
}

}  // namespace
}  // namespace psim
