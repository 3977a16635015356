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
using testing::TestFolder;

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
  const TestFolder folder;
  std::ofstream(folder / "text") << "hello";
  EXPECT_EQ(problem_of(folder / "text"),
            (folder / "text") + ": not a program (no ELF file); link it with psim-cc, psim-cxx or psim-f90");
  EXPECT_EQ(problem_of(folder / "none"), (folder / "none") + ": No such file or directory");
  std::ofstream(folder / "empty");
  EXPECT_EQ(problem_of(folder / "empty"), (folder / "empty") + ": is empty; expected a program");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::string& endless : {folder / "pipe", std::string("/dev/zero")})
    EXPECT_EQ(problem_of(endless), endless + ": not a regular file");
}

TEST(Image, AnOrdinaryLibraryOrExecutableIsRefused) {
  const TestFolder folder;
  std::ofstream(folder / "a.c") << "int main(void) { return 0; }\n";
  ASSERT_EQ(shell("gcc -shared -fPIC -o " + (folder / "library") + " " + (folder / "a.c")), 0);
  EXPECT_EQ(problem_of(folder / "library"),
            (folder / "library") + ": not linked by psim-cc, psim-cxx or psim-f90 (no psim_program in it)");
  ASSERT_EQ(shell("gcc -no-pie -o " + (folder / "fixed") + " " + (folder / "a.c")), 0);
  EXPECT_EQ(problem_of(folder / "fixed"),
            (folder / "fixed") + ": not linked by psim-cc, psim-cxx or psim-f90");
  ASSERT_EQ(shell("gcc -pie -fPIE -o " + (folder / "executable") + " " + (folder / "a.c")), 0);
  EXPECT_THAT(problem_of(folder / "executable"),
              ::testing::HasSubstr(": an ordinary executable; link it with psim-cc"));
}

TEST(Image, AProgramWithASecondMpiLibraryIsRefused) {
  const TestFolder folder;
  std::ofstream(folder / "a.c") << "int MPI_Init(int* argc, char*** argv) { return 0; }\n";
  ASSERT_EQ(shell("gcc -shared -fPIC -Wl,-soname,libmpi.so.40 -o " + (folder / "libmpi.so") + " " +
                  (folder / "a.c")),
            0);
  const std::string program =
      testing::build_program(folder, "ring.c", "-Wl,--no-as-needed " + (folder / "libmpi.so"));
  EXPECT_EQ(problem_of(program),
            program +
                ": linked with another MPI library, too (libmpi.so.40); link it without that one, as "
                "psim-cc, psim-cxx and psim-f90 add psim's own");
}

TEST(Image, ATruncatedProgramIsNotLoaded) {
  const TestFolder folder;
  const std::string program = testing::build_program(folder, "ring.c");
  for (const int bytes : {20, 64, 200, 4'000}) {
    ASSERT_EQ(shell("head -c " + std::to_string(bytes) + " " + program + " > " + (folder / "part")), 0);
    EXPECT_THAT(problem_of(folder / "part"), ::testing::StartsWith(folder / "part")) << bytes;
  }
}

TEST(Image, AMissingSymbolIsNamed) {
  const TestFolder folder;
  const std::string program = testing::build_program(folder, "ring.c", "-Wl,-z,lazy");
  // As with a library of another version without a function that the program uses.
  ASSERT_EQ(shell("sed -i s/rank_receive/rank_rexeive/g " + program), 0);
  EXPECT_THAT(problem_of(program), ::testing::HasSubstr("undefined symbol: rank_rexeive"));
}

}  // namespace
}  // namespace psim::net
