// SPDX-License-Identifier: Apache-2.0
// The C++ runtime: exceptions through frames, streams, containers, thread-local storage.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct Guard {
  explicit Guard(int& count) : count_(count) {}
  ~Guard() { ++count_; }
  int& count_;
};
int unwound = 0;
void thrower(int depth) {
  const Guard guard(unwound);
  if (depth == 0) throw std::runtime_error("deep");
  thrower(depth - 1);
}
thread_local int own = 3;
}  // namespace

int main() {
  try {
    thrower(20);
  } catch (const std::exception& error) {
    std::cout << error.what() << ' ' << unwound << '\n';
  }
  try {
    std::vector<int>(3).at(7) = 1;
  } catch (const std::out_of_range&) {
    std::cout << "out of range\n";
  }
  std::map<std::string, double> map{{"a", 1.5}, {"b", 2.25}};
  for (const auto& [key, value] : map) std::cout << key << '=' << value << std::endl;
  std::ofstream("file.txt") << "first\nsecond " << own++ << '\n';
  std::string line;
  for (std::ifstream in("file.txt"); std::getline(in, line);) std::cout << line << '\n';
  std::vector<std::unique_ptr<int>> pointers;
  for (int i = 0; i < 1000; ++i) pointers.push_back(std::make_unique<int>(i * 7919 % 1000));
  std::sort(pointers.begin(), pointers.end(), [](const auto& a, const auto& b) { return *a < *b; });
  std::cout << *pointers[500] << ' ' << own << '\n';
  throw 5;  // not caught: terminate, abort
}
