// SPDX-License-Identifier: Apache-2.0
// libsystemc refers to sc_main, but a program that builds a Core has its own main() and calls sc_start().
// cmake/libraries.cmake makes the linker take this definition from the archive.
extern "C" int sc_main(int, char**);
int sc_main(int, char**) { return 0; }
