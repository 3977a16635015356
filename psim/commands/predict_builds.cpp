// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/predict_builds.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "base/child_process.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim::commands {
namespace {

namespace fs = std::filesystem;

/// Returns the end of the wrappers' names for a source file: "cc" of psim-cc; empty for another file.
std::string language_of(const std::string& file) {
  static const std::map<std::string, std::string> languages{{".c", "cc"},    {".cc", "cxx"}, {".cpp", "cxx"},
                                                            {".cxx", "cxx"}, {".C", "cxx"},  {".f90", "f90"},
                                                            {".F90", "f90"}, {".f", "f90"},  {".F", "f90"}};
  const auto found = languages.find(fs::path(file).extension().string());
  return found == languages.end() ? "" : found->second;
}

/// Compiles a source, and writes the messages of the compiler to a file beside the program. Throws UserError
/// with the first of them.
void compile(const std::string& wrapper, const std::string& source, const std::string& flags,
             const std::string& program) {
  const std::string compiler = (executable_path().parent_path() / wrapper).string();
  if (!fs::exists(compiler))
    throw UserError(fmt::format("{}: no such file; expected the wrapper next to psim", compiler));
  // Options of libraries follow the source that needs them.
  std::vector<std::string> words{compiler}, libraries;
  std::istringstream split(flags);
  for (std::string word; split >> word;) (word.starts_with("-l") ? libraries : words).push_back(word);
  const std::string log = program + ".txt", unfinished = program + ".unfinished";
  words.insert(words.end(), {"-o", unfinished, source});
  words.insert(words.end(), libraries.begin(), libraries.end());
  ChildProcess child([&] {
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0) return 127;
    execute(compiler.c_str(), words);
    return 127;
  });
  if (child.wait() != 0) {
    const std::string text = read_file(log).bytes;
    throw UserError(fmt::format("{} {}: {}; all messages are in {}", wrapper, source,
                                text.substr(0, text.find('\n')), log));
  }
  fs::rename(unfinished, program);
}

}  // namespace

ProgramBuilds builds_of(const std::string& program, const std::string& core, const std::string& flags,
                        const std::string& folder) {
  const auto need = [](const std::string& file, const std::string& hint) {
    if (!fs::exists(file)) throw UserError(fmt::format("{}: no such file{}", file, hint));
  };
  need(program, "");
  const std::string language = language_of(program);
  if (language.empty()) {
    ProgramBuilds builds{.ranks = program, .core = core.empty() ? program + ".sparc" : core};
    need(builds.core,
         core.empty() ? fmt::format("; expected --core FILE, which psim-sparc-cc has built, or a source file "
                                    "instead of {}",
                                    program)
                      : "");
    return builds;
  }
  const std::string stem = folder + "/" + fs::path(program).stem().string();
  const ProgramBuilds builds{.ranks = stem + ".net", .core = stem + ".sparc"};
  compile("psim-sparc-" + language, program, flags, builds.core);
  compile("psim-" + language, program, flags, builds.ranks);
  return builds;
}

}  // namespace psim::commands
