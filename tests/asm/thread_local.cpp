// SPDX-License-Identifier: Apache-2.0
// For compare_with_as.py: thread-local variables, virtual functions, exceptions.
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

thread_local int counter;
static thread_local long hidden[4];
extern thread_local long elsewhere;
struct Base {
  virtual ~Base() = default;
  virtual int value(int) { return 1; }
};
struct Derived : Base {
  int value(int x) override {
    if (x > 3) throw std::runtime_error("x" + std::to_string(x));
    return counter += x + static_cast<int>(hidden[x & 3]++);
  }
};
int guarded(Base* base, int n) {
  try {
    return base->value(n);
  } catch (const std::exception& error) {
    return std::printf("%s\n", error.what());
  }
}
std::map<std::string, int> names;
long sum() { return elsewhere++ + names["a"]; }
int main() {
  Derived derived;
  return guarded(&derived, 2) + guarded(&derived, 5);
}
