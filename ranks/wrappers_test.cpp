// SPDX-License-Identifier: Apache-2.0
// The wrappers behave like the compilers they call, and like the wrappers that build systems know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::shell;
using testing::TestFolder;

const std::string kTools = PSIM_RANK_TOOLS "/";

struct Wrappers : ::testing::Test {
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  /// Runs a command in the workplace, with the wrappers in PATH and its output in the file "said".
  int in_place(const std::string& command) {
    return shell("cd " + (folder / "") + " && export PATH=" + kTools + ":$PATH && { " + command +
                 "; } >said 2>&1");
  }
  std::string said() {
    std::ifstream in(folder / "said");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TestFolder folder;
};

constexpr const char* kTwo = "#include \"rank_library.h\"\nint two(void) { return rank_count() == 2; }\n";
constexpr const char* kMain = "int two(void);\nint main(void) { return two() ? 0 : 4; }\n";

TEST_F(Wrappers, ObjectsArchivesAndLibrariesAreLinkedAsUsual) {
  write("two.c", kTwo);
  write("main.c", kMain);
  ASSERT_EQ(
      in_place(
          "psim-cc -O2 -Wall -Werror -c two.c && psim-cc -c main.c -o main.o && ar rcs libtwo.a two.o && "
          "psim-cc -o program main.o -L. -ltwo -lm"),
      0)
      << said();
  const auto result = testing::run({folder / "program", {}, 2});
  EXPECT_THAT(result.statuses, ::testing::Each(0));
}

TEST_F(Wrappers, HelpDescribesTheWrapperBeforeTheCompilersOptions) {
  ASSERT_EQ(in_place("PSIM_CC=echo psim-cc --help"), 0);
  EXPECT_THAT(said(),
              ::testing::StartsWith("psim-cc compiles and links as echo does, into a program of ranks"));
  EXPECT_THAT(said(), ::testing::ContainsRegex("follow.\n\n.* --help.*\n$"));
}

TEST_F(Wrappers, AMissingCompilerIsReportedWithItsPackage) {
  EXPECT_EQ(in_place("PSIM_FC=gfortran-none psim-f90 -c x.f90"), 2);
  EXPECT_EQ(
      said(),
      "psim-f90: the compiler gfortran-none is missing; install it (Debian: apt-get install gfortran) or "
      "name another in PSIM_FC\n");
}

TEST_F(Wrappers, ABuildWithoutFortranIsReported) {
  // psim's own wrapper finds no modules there.
  ASSERT_EQ(in_place("mkdir -p bin && cp " PSIM_MPI_TOOLS "/psim-f90 bin/"), 0) << said();
  EXPECT_EQ(in_place("bin/psim-f90 -c x.f90"), 2);
  EXPECT_EQ(said(),
            "psim-f90: this psim was built without Fortran; install gfortran (Debian: apt-get install "
            "gfortran) and "
            "build psim again\n");
}

TEST_F(Wrappers, TheDefaultOutputIsAOut) {
  write("two.c", kTwo);
  write("main.c", kMain);
  ASSERT_EQ(in_place("psim-cc main.c two.c && test -x a.out"), 0) << said();
  EXPECT_EQ(said(), "");
}

TEST_F(Wrappers, AMissingFunctionFailsTheLinkByName) {
  write("a.c", "void MPI_Unheard_of(void);\nint main(void) { MPI_Unheard_of(); return 0; }\n");
  EXPECT_NE(in_place("psim-cc a.c"), 0);
  EXPECT_THAT(said(), HasSubstr("undefined reference to `MPI_Unheard_of'"));
  write("b.c", "int f(void) { return 0; }\n");
  EXPECT_NE(in_place("psim-cc b.c"), 0);
  EXPECT_THAT(said(), HasSubstr("main"));
}

TEST_F(Wrappers, PreprocessingAndQueriesAreTheCompilers) {
  write("a.c", "SIX 6\n");
  ASSERT_EQ(in_place("psim-cc -E -DSIX=seven a.c"), 0);
  EXPECT_THAT(said(), HasSubstr("seven 6"));
  ASSERT_EQ(in_place("psim-cc --version && psim-cxx -dumpversion && psim-f90 --version"), 0);
  EXPECT_THAT(said(), HasSubstr("GNU Fortran"));
  EXPECT_NE(in_place("psim-cc"), 0);
  EXPECT_THAT(said(), HasSubstr("no input files"));
}

TEST_F(Wrappers, ShowOptionsPrintTheCommands) {
  ASSERT_EQ(in_place("psim-cc -show -c a.c"), 0);
  EXPECT_THAT(said(), HasSubstr("gcc "));
  EXPECT_THAT(said(), HasSubstr(" -c a.c "));
  EXPECT_THAT(said(), Not(HasSubstr("-lpsim_mpi")));
  ASSERT_EQ(in_place("psim-cxx -showme:compile"), 0);
  EXPECT_THAT(said(), HasSubstr("-I"));
  EXPECT_THAT(said(), Not(HasSubstr("g++")));
  ASSERT_EQ(in_place("psim-f90 -link_info"), 0);
  EXPECT_THAT(said(), HasSubstr("gfortran "));
  EXPECT_THAT(said(), HasSubstr("-lpsim_mpi"));
  // The printed command works.
  write("two.c", kTwo);
  write("main.c", kMain);
  ASSERT_EQ(in_place("gcc $(psim-cc -showme:compile) main.c two.c $(psim-cc -showme:link) -o program"), 0)
      << said();
  EXPECT_THAT(testing::run({folder / "program", {}, 2}).statuses, ::testing::Each(0));
}

TEST_F(Wrappers, AProgramsOwnFunctionReplacesTheCLibrarys) {
  write("a.c",
        "#include \"rank_library.h\"\nint error(int x) { return x + 1; }\nint index = 4;\n"
        "int main(void) { rank_sleep(5); return error(index); }\n");
  ASSERT_EQ(in_place("psim-cc -fno-builtin a.c"), 0) << said();
  EXPECT_THAT(testing::run({folder / "a.out", {}, 2}).statuses, ::testing::Each(5));
}

TEST_F(Wrappers, HiddenVisibilityDoesNotHideMain) {
  write("a.cc", "#include \"rank_library.h\"\nint main() { rank_sleep(5); return 3; }\n");
  ASSERT_EQ(in_place("psim-cxx -fvisibility=hidden -O2 -flto a.cc"), 0) << said();
  EXPECT_THAT(testing::run({folder / "a.out", {}, 2}).statuses, ::testing::Each(3));
}

TEST_F(Wrappers, AProgramOfNsimBeginsAtMgenMain) {
  write("a.c", "int MGEN_Main(int argc, char** argv) { return argc + (argv[argc] != 0); }\n");
  ASSERT_EQ(in_place("psim-cc a.c"), 0) << said();
  EXPECT_THAT(testing::run({folder / "a.out", {"x", "y"}, 2}).statuses, ::testing::Each(3));
}

TEST_F(Wrappers, ProgramsMayKeepCodeAndVariablesOnOnePage) {
  // Copies share code; data stay private to each copy with every layout of the linker.
  write("a.c",
        "#include \"rank_library.h\"\nint kept = 5;\nconst char* text = \"text\";\n"
        "int main(void) { kept += rank_number(); rank_sleep(5); return kept + (text[3] != 't'); }\n");
  for (const char* ending :
       {"-Wl,-z,noseparate-code", "-Wl,-z,separate-code", "-Wl,-z,norelro", "-Wl,-z,now"}) {
    ASSERT_EQ(in_place(std::string("psim-cc -O1 a.c ") + ending), 0) << said();
    EXPECT_THAT(testing::run({folder / "a.out", {}, 3}).statuses, ::testing::ElementsAre(5, 6, 7)) << ending;
  }
}

TEST_F(Wrappers, TheStartAndEndOfCodeAndVariablesHaveTheirUsualNames) {
  write(
      "lib.c",
      "extern char __data_start, _edata;\nint has(char* x) { return x >= &__data_start && x < &_edata; }\n");
  write("main.c",
        "extern char __data_start, data_start, __bss_start, _end;\nint has(char*);\nchar set = 1, zero;\n"
        "extern char __executable_start, etext;\n"
        "int main(void) { char* code = (char*)main;\n"
        "  return (&data_start == &__data_start) + 2 * has(&set) +\n"
        "         4 * (&zero >= &__bss_start && &zero < &_end) +\n"
        "         8 * (code >= &__executable_start && code < &etext && &etext < &__data_start); }\n");
  ASSERT_EQ(in_place("psim-cc main.c lib.c"), 0) << said();
  EXPECT_THAT(testing::run({folder / "a.out", {}, 2}).statuses, ::testing::Each(15));
}

TEST_F(Wrappers, CodeThatTheLoaderChangesIsNotShared) {
  write("a.c",
        "#include \"rank_library.h\"\nint kept = 5;\nint* where(void);\n"
        "__asm__(\".text\\n.globl where\\n.type where, @function\\nwhere: movabs $kept, %rax\\nret\\n\");\n"
        "int main(void) { *where() += rank_number(); rank_sleep(5); return kept; }\n");
  ASSERT_EQ(in_place("psim-cc a.c -Wl,-z,notext"), 0) << said();
  EXPECT_THAT(testing::run({folder / "a.out", {}, 3}).statuses, ::testing::ElementsAre(5, 6, 7));
}

TEST_F(Wrappers, ManyCopiesMayExceedTheDefaultLimitOfOpenFiles) {
  write("lib.c", "int one(void) { return 1; }\n");
  write("main.c", "int one(void);\nint main(void) { return one() - 1; }\n");
  ASSERT_EQ(in_place("psim-cc -shared -o libone.so lib.c && psim-cc main.c -L. -lone '-Wl,-rpath,$ORIGIN'"),
            0)
      << said();
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_THAT(testing::run({folder / "a.out", {}, 60}).statuses, ::testing::Each(0));
}

TEST_F(Wrappers, StaticLinkingIsRefused) {
  write("a.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(in_place("psim-cc -static a.c"), 2);
  EXPECT_THAT(said(), HasSubstr("psim-cc: -static: "));
}

TEST_F(Wrappers, ALibraryOfRanksIsNoProgram) {
  write("two.c", kTwo);
  write("main.c", kMain);
  ASSERT_EQ(
      in_place("psim-cc -shared -o libtwo.so two.c && psim-cc -o program main.c -L. -ltwo -Wl,-rpath,$PWD"),
      0)
      << said();
  EXPECT_THAT(testing::run({folder / "program", {}, 2}).statuses, ::testing::Each(0));
}

TEST_F(Wrappers, LibrariesBuiltByTheUserArePrivateToARank) {
  write("counter.c",
        "#include \"rank_library.h\"\nint add(int), told;\nstatic int born, count;\n"
        "__attribute__((constructor)) static void begin(void) { born = 7; }\n"
        "__attribute__((destructor)) static void end(void) { if (count != told) rank_abort(count); }\n"
        "int next(void) { rank_sleep(5); count += rank_number(); return born * add(count); }\n");
  write("user.cc",
        "#include <string>\nstatic std::string text(\"long enough for memory of its own\");\n"
        "extern \"C\" int add(int n) { text += 'x'; thread_local int sum = 0; return sum += n; }\n");
  write("main.c",
        "#include \"rank_library.h\"\nint next(void), add(int), told;\nint main(void) {\n"
        "  next(); next(); told = 2 * rank_number();\n"
        "  return next() == 7 * 6 * rank_number() && (told = 3 * rank_number(), 1) ? add(0) : 99; }\n");
  ASSERT_EQ(in_place("mkdir lib && psim-cxx -shared -o lib/libuser.so user.cc && "
                     "gcc -I" PSIM_RANK_PROGRAMS "/.. -fPIC -shared -o lib/libcounter.so counter.c && "
                     "psim-cc -o program main.c -Llib -lcounter -luser '-Wl,-rpath,$ORIGIN/lib'"),
            0)
      << said();
  const auto result = testing::run({folder / "program", {}, 3});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, ::testing::ElementsAre(0, 6, 12));
  ProcessesConfig swapped{folder / "program", {}, 3};
  swapped.globals = GlobalsMode::Swapped;
  EXPECT_THAT([&] { testing::run(swapped); },
              ::testing::ThrowsMessage<UserError>(HasSubstr("/lib/libcounter.so cannot be exchanged")));
}

TEST_F(Wrappers, AProgramStartedDirectlyRunsAsOneRankOfPsim) {
  write("a.c", "int main(void) { return 0; }\n");
  write("psim", "#!/bin/sh\necho \"$@\"\n");
  ASSERT_EQ(in_place("psim-cc -o conftest a.c && chmod +x psim && PSIM=./psim ./conftest x 'y z'"), 0)
      << said();
  EXPECT_EQ(said(), "net -n 1 " + (folder / "conftest") + " x y z\n");
  EXPECT_EQ(in_place("PSIM_RANKS=4 PSIM=./psim ./conftest"), 0);
  EXPECT_EQ(said(), "net -n 4 " + (folder / "conftest") + "\n");
  ASSERT_EQ(in_place("PSIM_OPTIONS='--quiet --machine tofu' PSIM=./psim ./conftest"), 0);
  EXPECT_EQ(said(), "net -n 1 --quiet --machine tofu " + (folder / "conftest") + "\n");
  // Started by psim, which was given a script.
  ASSERT_EQ(in_place("PSIM_COMMAND=$(printf -- '-n\\n3\\n--set\\na=1 GB/s\\n') PSIM=./psim ./conftest x"), 0);
  EXPECT_EQ(said(), "net -n 3 --set a=1 GB/s " + (folder / "conftest") + " x\n");
}

TEST_F(Wrappers, UnderAnotherLibrarysLauncherTheFirstProcessRunsAllRanks) {
  write("a.c", "int main(void) { return 0; }\n");
  write("psim", "#!/bin/sh\necho \"$@\" $OMPI_COMM_WORLD_SIZE\n");
  ASSERT_EQ(in_place("psim-cc a.c && chmod +x psim"), 0) << said();
  const std::string start = "PSIM=./psim OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=";
  EXPECT_EQ(in_place(start + "0 ./a.out x"), 0);
  EXPECT_EQ(said(), "net -n 4 " + (folder / "a.out") + " x\n");
  EXPECT_EQ(in_place(start + "1 ./a.out x"), 0);
  EXPECT_EQ(said(), "");
  EXPECT_EQ(in_place("PSIM=./psim PMI_SIZE=2 PMI_RANK=0 ./a.out"), 0);
  EXPECT_EQ(said(), "net -n 2 " + (folder / "a.out") + "\n");
}

TEST_F(Wrappers, TheNamesOfOtherLibrariesAreLinksToTheWrappers) {
  write("a.c", "int main(void) { return 0; }\n");
  write("psim", "#!/bin/sh\necho \"$@\" $NAME\n");
  const std::string names = "PATH=" PSIM_MPI_TOOLS "/../lib/psim/mpi:$PATH && ";
  ASSERT_EQ(in_place(names + "mpicc --showme:version"), 0) << said();  // Meson looks for three numbers
  EXPECT_THAT(said(), ::testing::ContainsRegex("^psim-cc: psim [0-9]+[.][0-9]+[.][0-9]+, MPI 4.1\n"));
  ASSERT_EQ(in_place(names + "mpicc a.c && mpicxx -dumpversion && mpifort -showme:libs && mpiexec -Q"), 2);
  EXPECT_THAT(said(), HasSubstr("psim_mpi\npsim-mpirun: -Q: unknown option of mpirun"));
  ASSERT_EQ(in_place("chmod +x psim && cp " PSIM_MPI_TOOLS
                     "/psim-mpirun . && PSIM_OPTIONS='--seed 3' ./psim-mpirun "
                     "--mca btl self,vader -x NAME=value --oversubscribe -np 4 a.out x 'y z'"),
            0)
      << said();
  EXPECT_EQ(said(), "net -n 4 --seed 3 ./a.out x y z value\n");
  EXPECT_EQ(in_place("./psim-mpirun --version"), 0);
  EXPECT_EQ(said(), "--version\n");
  EXPECT_EQ(in_place("./psim-mpirun --help"), 0);
  EXPECT_THAT(said(), HasSubstr("psim-mpirun -n N PROGRAM"));
  EXPECT_EQ(in_place("./psim-mpirun -n 2 ./a.out : -n 1 ./a.out"), 2);
  EXPECT_THAT(said(), HasSubstr("--jobs"));
}

TEST_F(Wrappers, CMakeUsesThemAsCompilers) {
  write("two.c", kTwo);
  write("main.c", kMain);
  write("hello.f90", "program hello\nprint *, 'hello'\nend program\n");
  write("hello.cc", "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n");
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(test LANGUAGES C CXX Fortran)\n"
        "include(CheckFunctionExists)\ncheck_function_exists(rank_sleep HAVE_RANK_SLEEP)\n"
        "if(NOT HAVE_RANK_SLEEP)\n  message(FATAL_ERROR rank_sleep)\nendif()\n"
        "include(CheckIncludeFile)\ncheck_include_file(rank_library.h HAVE_HEADER)\n"
        "if(NOT HAVE_HEADER)\n  message(FATAL_ERROR header)\nendif()\n"
        "set(CMAKE_POSITION_INDEPENDENT_CODE ON)\n"
        "add_library(two STATIC two.c)\nadd_executable(main main.c)\ntarget_link_libraries(main two)\n"
        "add_executable(hello hello.cc)\nadd_executable(fortran hello.f90)\n");
  ASSERT_EQ(in_place("cmake -S . -B build -DCMAKE_C_COMPILER=psim-cc -DCMAKE_CXX_COMPILER=psim-cxx "
                     "-DCMAKE_Fortran_COMPILER=psim-f90 && cmake --build build"),
            0)
      << said();
  EXPECT_THAT(testing::run({folder / "build/main", {}, 2}).statuses, ::testing::Each(0));
  EXPECT_EQ(testing::run({folder / "build/hello", {}, 2}).output, "hello\nhello\n");
  EXPECT_EQ(testing::run({folder / "build/fortran", {}, 1}).output, " hello\n");
}

}  // namespace
}  // namespace psim::net
