// SPDX-License-Identifier: Apache-2.0
// Programs for tests, built by the wrappers in a test's own directory.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "netsim/message/mpi_config.h"
#include "ranks/testing/constant_host.h"

namespace psim::net::testing {

/// Runs a shell command and returns its exit status.
inline int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A directory that exists for the lifetime of the object.
class TestFolder {
 public:
  TestFolder() {
    char name[] = "/tmp/psim-ranks-XXXXXX";
    if (!::mkdtemp(name)) throw UserError("no directory for a test in /tmp");
    path_ = name;
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

#ifdef PSIM_RANK_TOOLS
/// Compiles and links testing/programs/`source` with debug information. Returns the path of the program.
inline std::string build_program(const TestFolder& folder, const std::string& source,
                                 const std::string& options = "") {
  const std::string suffix = source.substr(source.rfind('.'));
  const std::string wrapper = suffix == ".c" ? "psim-cc" : suffix == ".f90" ? "psim-f90" : "psim-cxx";
  const std::string program = folder / "program";
  const std::string command = "cd " + (folder / "") + " && " PSIM_RANK_TOOLS "/" + wrapper + " -g -o " +
                              program + " " + options + " " PSIM_RANK_PROGRAMS "/" + source;
  if (shell(command) != 0) throw UserError("failed: " + command);
  return program;
}

/// Runs a program linked with the library of rank_library.h.
inline ConstantRun run(const ProcessesConfig& config) { return ConstantHost(config, MpiConfig{}).run(); }
#endif

}  // namespace psim::net::testing
