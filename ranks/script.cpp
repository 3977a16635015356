// SPDX-License-Identifier: Apache-2.0
#include "ranks/script.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/executable_path.h"

namespace psim::net {

void run_script(const std::vector<std::string>& words) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(words.front(), none)) return;  // a pipe would block
  char start[2] = {};
  std::ifstream program(words.front(), std::ios::binary);
  if (!program.read(start, sizeof start) || start[0] != '#' || start[1] != '!') return;
  // The script would run once, as the only rank of the library that mpi4py was built for.
  const std::string text(std::istreambuf_iterator<char>(program), {});
  if (text.substr(0, text.find('\n')).find("python") != text.npos && text.find("mpi4py") != text.npos)
    throw UserError(
        words.front() +
        ": uses mpi4py, and Python cannot be a rank; expected a program linked with psim-cc, psim-cxx or "
        "psim-f90, or a script that starts one");
  const std::vector<std::string>& line = command_line();
  // In "psim net OPTIONS PROGRAM ARGUMENTS", program_start.c reads the options.
  if (line.size() < 2 + words.size()) return;
  std::string options;
  for (std::size_t i = 2; i < line.size() - words.size(); ++i) options += line[i] + "\n";
  const std::filesystem::path& psim = executable_path();
  if (psim.empty()) return;
  ::setenv("PSIM_COMMAND", options.c_str(), 1);
  ::setenv("PSIM", psim.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(words.front().c_str(), arguments.data());
}

}  // namespace psim::net
