// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/fortran_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

using testing::build_program;
using testing::run;
using testing::TestFolder;

TEST(FortranLibrary, ProgramsWithoutFortranHaveNoFortranLibrary) {
  const TestFolder folder;
  const Program program(build_program(folder, "ring.c"));
  const Image image(program);
  EXPECT_EQ(FortranLibrary::of(image, 2), nullptr);
}

TEST(FortranLibrary, RanksOfSeveralProgramsTakeTurns) {
  const TestFolder one, other;
  const Program programs[] = {Program(build_program(one, "saved.f90")),
                              Program(build_program(other, "saved.f90"))};
  const Image images[] = {Image(programs[0]), Image(programs[1])};
  const std::unique_ptr<FortranLibrary> libraries[] = {FortranLibrary::of(images[0], 2),
                                                       FortranLibrary::of(images[1], 2)};
  ASSERT_NE(libraries[0], nullptr);
  const auto seed = reinterpret_cast<void (*)(std::int32_t*)>(images[0].symbol("_gfortran_srand"));
  const auto draw = reinterpret_cast<std::int32_t (*)(std::int32_t*)>(images[0].symbol("_gfortran_irand"));
  std::int32_t number = 0;
  for (const std::uint32_t rank : {0, 1})
    for (const auto& library : libraries) {
      library->enter(rank);
      seed(&++number);
    }
  FortranLibrary::leave();
  EXPECT_EQ(draw(nullptr), 16'807);  // with the library's initial seed, 1
  number = 0;
  for (const std::uint32_t rank : {0, 1})
    for (const auto& library : libraries) {
      library->enter(rank);
      EXPECT_EQ(draw(nullptr), 16'807 * ++number);
      library->destruct();
    }
}

TEST(FortranLibrary, VariablesAreExchangedWhenAnotherRankCalls) {
  const TestFolder folder;
  const Program program(build_program(folder, "saved.f90"));
  const Image image(program);
  const auto library = FortranLibrary::of(image, 2);
  const auto draw = reinterpret_cast<std::int32_t (*)(std::int32_t*)>(image.symbol("_gfortran_irand"));
  const FortranCalls::State& state = FortranCalls::state();
  library->enter(0);
  EXPECT_EQ(state.owner, nullptr) << "rank 0 has not called the library";
  const std::int32_t first = draw(nullptr);
  EXPECT_EQ(state.owner, state.running);
  library->enter(1);
  library->destruct();
  EXPECT_NE(state.owner, state.running) << "rank 1 has not called the library";
  library->enter(0);
  EXPECT_EQ(state.owner, state.running);
  EXPECT_NE(draw(nullptr), first);
  library->enter(1);
  EXPECT_EQ(draw(nullptr), first);
  library->destruct();
  library->enter(0);
  library->destruct();
}

class Units : public ::testing::TestWithParam<GlobalsMode> {
 protected:
  testing::ConstantRun run_on(std::uint32_t ranks, const std::string& source) {
    ProcessesConfig config{build_program(folder_, source, "-pthread"), {folder_ / ""}, ranks};
    config.globals = GetParam();
    return run(config);
  }
  std::string file(const std::string& name) {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TestFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fortran, Units,
                         ::testing::Values(GlobalsMode::Copies, GlobalsMode::Swapped, GlobalsMode::Remapped),
                         [](const auto& info) { return name(info.param); });

std::vector<std::string> sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

TEST_P(Units, ArePrivateToARankWithinStatementsToo) {
  const auto result = run_on(3, "units.f90");
  EXPECT_EQ(result.failure, "");
  // Output has the order of time, and no other rank ends a rank's line.
  EXPECT_THAT(
      sorted_lines(result.output),
      ::testing::ElementsAre(" ends its line", " ends its line", "nested 0 and 0", "nested 1 and 1",
                             "nested 2 and 2", "rank 0rank 1rank 2 ends its line", "still 0", "still 2"));
  for (int rank = 0; rank < 3; ++rank)
    EXPECT_EQ(file("left." + std::to_string(rank)), " " + std::to_string(rank + 1) + " " +
                                                        std::to_string(rank + 2) + " " +
                                                        std::to_string(rank + 3) + "\n");
}

TEST_P(Units, OtherRanksWriteWhileTheLibraryCallsTheProgram) {
  const auto result = run_on(3, "derived_output.f90");
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(sorted_lines(result.output),
              ::testing::ElementsAre("<DT 0 again 0|DT 10 again 10>", "<DT 1 again 1|DT 11 again 11>",
                                     "<DT 2 again 2|DT 12 again 12>"));
}

TEST_P(Units, AThreadWaitsForTheUnitThatAnotherUses) {
  const auto result = run_on(2, "unit_threads.f90");
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, ::testing::Each(0));
  EXPECT_EQ(result.output, "rank 0\nthe thread of rank 0\nrank 1\nthe thread of rank 1\n");
}

TEST_P(Units, ACopyMadeByForkWritesItsBuffers) {
  const auto result = run_on(2, "unit_child.f90");
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, ::testing::Each(0));
  EXPECT_EQ(file("child.0"), "rank 0\nchild of 0\nagain 0\n");
  EXPECT_EQ(file("child.1"), "rank 1\nchild of 1\nagain 1\n");
}

TEST(FortranLibrary, AThousandRanksHaveSeparateUnits) {
  constexpr std::uint32_t kRanks = 1'000;
  const TestFolder folder;
  const auto result = run({build_program(folder, "units.f90"), {folder / ""}, kRanks});
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(sorted_lines(result.output).size(), 3 * kRanks - 1);
  for (const std::string rank : {"0", "500", "999"})
    EXPECT_THAT(result.output, ::testing::HasSubstr("nested " + rank + " and " + rank + "\n"));
}

}  // namespace
}  // namespace psim::net
