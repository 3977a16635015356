// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "isa/doc/markdown.h"

int main() {
  const std::string text = psim::isa::isa_markdown();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
