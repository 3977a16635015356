// SPDX-License-Identifier: Apache-2.0
// The cross objdump as an oracle for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace psim::isa::testing {

struct Line {
  std::uint64_t address;
  std::uint32_t word;
  std::string text;  ///< normalised: single spaces, no symbols, no comments
};

inline bool have(const std::string& tool) {
  return std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0;
}

/// A file name private to this process, removed at the end of the scope.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& suffix) {
    std::string pattern = ::testing::TempDir() + "psim-isa-XXXXXX";
    const int fd = mkstemp(pattern.data());
    if (fd < 0) throw std::runtime_error("no scratch file");
    close(fd);
    base_ = pattern;
    name_ = pattern + suffix;
  }
  ~ScratchFile() {
    std::remove(base_.c_str());
    std::remove(name_.c_str());
  }
  const std::string& name() const { return name_; }

 private:
  std::string base_, name_;
};

inline std::string normalised(std::string text) {
  static const std::regex symbol("<[^>]*>"), comment("\\s*!.*");
  if (text.find('<') != std::string::npos) text = std::regex_replace(text, symbol, "");
  if (text.find('!') != std::string::npos) text = std::regex_replace(text, comment, "");
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t') {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// Runs objdump with `arguments` and reads its lines "address:\tbytes\ttext".
inline std::vector<Line> objdump(const std::string& arguments) {
  std::FILE* const pipe = popen(("sparc64-linux-gnu-objdump -z " + arguments).c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run objdump");
  std::vector<Line> lines;
  char buffer[1024];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
    std::string line(buffer);
    const std::size_t colon = line.find(":\t"), tab = line.find('\t', colon + 2);
    if (colon == std::string::npos || tab == std::string::npos) continue;
    if (line.back() == '\n') line.pop_back();
    std::string bytes;
    for (const char c : line.substr(colon + 2, tab - colon - 2)) {
      if (c != ' ') bytes += c;
    }
    lines.push_back({std::strtoull(line.c_str(), nullptr, 16),
                     static_cast<std::uint32_t>(std::strtoul(bytes.c_str(), nullptr, 16)),
                     normalised(line.substr(tab + 1))});
  }
  if (pclose(pipe) != 0) throw std::runtime_error("objdump failed");
  return lines;
}

/// Disassembles words, the first at address 0, for a machine that objdump names so ("v9m").
inline std::vector<Line> objdump(std::span<const std::uint32_t> words, const std::string& machine) {
  const ScratchFile file(".bin");
  {
    std::ofstream out(file.name(), std::ios::binary);
    for (const std::uint32_t word : words) {
      for (const int shift : {24, 16, 8, 0}) out.put(static_cast<char>(word >> shift));
    }
  }
  return objdump("-D -EB -b binary -m sparc:" + machine + " " + file.name());
}

}  // namespace psim::isa::testing
