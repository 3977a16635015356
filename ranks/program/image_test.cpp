// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

using testing::shell;
using testing::Workplace;

std::string problem_of(const std::string& path) {
  try {
    const Program program(path);
    const Image image(program);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Image, AFileThatIsNoProgramIsRefused) {
  const Workplace place;
  std::ofstream(place / "text") << "hello";
  EXPECT_EQ(problem_of(place / "text"),
            (place / "text") + ": not a program (no ELF file); link it with psim-cc, psim-cxx or psim-f90");
  EXPECT_EQ(problem_of(place / "none"), (place / "none") + ": No such file or directory");
  std::ofstream(place / "empty");
  EXPECT_EQ(problem_of(place / "empty"), (place / "empty") + ": is empty; expected a program");
  ASSERT_EQ(::mkfifo((place / "pipe").c_str(), 0600), 0);
  for (const std::string& endless : {place / "pipe", std::string("/dev/zero")})
    EXPECT_EQ(problem_of(endless), endless + ": not a regular file");
}

TEST(Image, AnOrdinaryLibraryOrExecutableIsRefused) {
  const Workplace place;
  std::ofstream(place / "a.c") << "int main(void) { return 0; }\n";
  ASSERT_EQ(shell("gcc -shared -fPIC -o " + (place / "library") + " " + (place / "a.c")), 0);
  EXPECT_EQ(problem_of(place / "library"),
            (place / "library") + ": not linked by psim-cc, psim-cxx or psim-f90 (no psim_program in it)");
  ASSERT_EQ(shell("gcc -no-pie -o " + (place / "fixed") + " " + (place / "a.c")), 0);
  EXPECT_EQ(problem_of(place / "fixed"), (place / "fixed") + ": not linked by psim-cc, psim-cxx or psim-f90");
  ASSERT_EQ(shell("gcc -pie -fPIE -o " + (place / "executable") + " " + (place / "a.c")), 0);
  EXPECT_THAT(problem_of(place / "executable"),
              ::testing::HasSubstr(": an ordinary executable; link it with psim-cc"));
}

TEST(Image, ATruncatedProgramIsNotLoaded) {
  const Workplace place;
  const std::string program = testing::build_program(place, "ring.c");
  for (const int bytes : {20, 64, 200, 4'000}) {
    ASSERT_EQ(shell("head -c " + std::to_string(bytes) + " " + program + " > " + (place / "part")), 0);
    EXPECT_THAT(problem_of(place / "part"), ::testing::StartsWith(place / "part")) << bytes;
  }
}

TEST(Image, AMissingSymbolIsNamed) {
  const Workplace place;
  const std::string program = testing::build_program(place, "ring.c", "-Wl,-z,lazy");
  // As with a library of another version without a function that the program uses.
  ASSERT_EQ(shell("sed -i s/rank_receive/rank_rexeive/g " + program), 0);
  EXPECT_THAT(problem_of(program), ::testing::HasSubstr("undefined symbol: rank_rexeive"));
}

}  // namespace
}  // namespace psim::net
