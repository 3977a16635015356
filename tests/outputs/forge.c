// SPDX-License-Identifier: Apache-2.0
// Looks for unfinished outputs of psim's in its working directory, overwrites them and puts a
// link and a folder in the way of the results named by its arguments. Prints the files that it found.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  DIR* here = opendir(".");
  for (struct dirent* entry; (entry = readdir(here)) != NULL;) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    printf("%s\n", entry->d_name);
    int file = open(entry->d_name, O_WRONLY | O_TRUNC);
    if (file >= 0) dprintf(file, "{\"schema\": 1, \"result_hash\": \"forged\"}\n"), close(file);
  }
  if (argc > 1) symlink("victim", argv[1]);
  if (argc > 2) mkdir(argv[2], 0700);
  return 0;
}
