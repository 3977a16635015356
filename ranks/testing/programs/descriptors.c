/* SPDX-License-Identifier: Apache-2.0
   Each rank redirects its standard descriptors, as programs do that give each rank a log file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rank_library.h"

static int holds(const char* path, const char* expected) {
  char text[128] = "";
  FILE* file = fopen(path, "r");
  if (!file) return 0;
  const size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  return size == strlen(expected) && memcmp(text, expected, size) == 0;
}

int main(int argc, char** argv) {
  const int mine = rank_number();
  char path[256], expected[64];
  if (argc != 2) return 1;
  snprintf(path, sizeof path, "%s.%d", argv[1], mine);
  printf("begin %d\n", mine);
  const int kept = dup(1);
  const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
  if (kept < 3 || file < 3 || dup2(file, 1) != 1 || dup2(1, 2) != 2 || close(file) != 0) return 2;
  rank_sleep(1000);
  printf("out %d\n", mine);
  fflush(stdout);
  fprintf(stderr, "error %d\n", mine);
  if (write(2, "text\n", 5) != 5 || system("echo child") != 0) return 3;
  rank_sleep(1000);
  if (write(kept, "kept\n", 5) != 5) return 4;
  if (dup2(kept, 1) != 1 || close(kept) != 0) return 5;
  snprintf(expected, sizeof expected, "out %d\nerror %d\ntext\nchild\n", mine, mine);
  if (!holds(path, expected)) return 6;
  printf("end %d\n", mine);  // the end of the turn flushes it
  rank_sleep(1000);
  if (mine != 1) return 0;
  if (close(1) != 0 || close(1) != -1 || errno != EBADF || write(1, "lost", 4) != -1 || dup(2) != 1) return 7;
  printf("last\n");
  fflush(stdout);
  snprintf(expected, sizeof expected, "out 1\nerror 1\ntext\nchild\nlast\n");
  return holds(path, expected) ? 0 : 8;
}
