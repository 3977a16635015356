// SPDX-License-Identifier: Apache-2.0
// Each rank changes another part of the state of std::cout; it writes to its own buffer, format and errors.
#include <iomanip>
#include <iostream>
#include <sstream>

#include "rank_library.h"

int main() {
  const int mine = rank_number();
  if (mine == 0) std::cout << std::hex << std::fixed << std::setprecision(2) << std::setfill('0');
  if (mine == 1) std::cout.setstate(std::ios::failbit);
  if (mine == 4) std::cout.rdbuf(nullptr);
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf();
  if (mine == 2 || mine == 3) std::cout.rdbuf(text.rdbuf());
  rank_sleep(1000);
  std::cout << "first " << mine << ' ' << std::setw(4) << 255 << ' ' << 0.5 << std::endl;
  rank_sleep(mine == 2 ? 1000 : 2000);    // rank 2 restores its buffer before rank 3 does
  if (mine < 4) std::cout.rdbuf(before);  // without errors
  rank_sleep(mine == 2 ? 3000 : 2000);
  std::cout << "last " << mine << ' ' << text.str().size() << '\n';
  if (mine == 4) std::cout.rdbuf(reinterpret_cast<std::streambuf*>(8));  // without a use
  rank_sleep(1000);
  if (mine != 5) return 0;
  std::cout.exceptions(std::ios::failbit);
  try {
    std::cout.setstate(std::ios::failbit);
  } catch (const std::ios::failure&) {
    rank_sleep(1000);
    return std::cout.fail() && std::cout.exceptions() == std::ios::failbit ? 0 : 1;
  }
  return 2;
}
