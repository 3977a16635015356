/* SPDX-License-Identifier: Apache-2.0
   Looks as if its message library were of another build of psim. */
const char psim_library_stamp[] = "that of another build";

int main(void) { return 0; }
