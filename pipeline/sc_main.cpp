// SPDX-License-Identifier: Apache-2.0
// libsystemc refers to sc_main; whoever builds a Core has a main() of their own and calls sc_start().
// cmake/libraries.cmake tells the linker to take this definition out of the archive.
extern "C" int sc_main(int, char**);
int sc_main(int, char**) { return 0; }
