/* SPDX-License-Identifier: Apache-2.0
   Linked first into every program of ranks. Describes the program to `psim net`. Makes the program executable by
   itself, for configure scripts that run what they compile: it then starts psim to run it as one rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranks/program/program_start.h"

extern int main(int argc, char** argv, char** environment);
/* A function of the message library, whose file has a known path below psim's. */
extern void* psim_attach_library(void* host);

__attribute__((visibility("default"), used)) const struct psim_program_description psim_program = {
    PSIM_PROGRAM_MAGIC, PSIM_PROGRAM_VERSION, main};

/* Names of the start of the program's variables, which crt1.o defines in ordinary executables. */
__attribute__((visibility("default"), used, section(".data"))) int __data_start = 0;
extern __attribute__((visibility("default"), weak, alias("__data_start"))) int data_start;

/* A shared object with an interpreter can be started like a program. */
__attribute__((section(".interp"), used)) static const char interpreter[] = "/lib64/ld-linux-x86-64.so.2";

/* The linker defines the start of the code in ordinary executables only. The section .init precedes other code. */
__asm__(".pushsection .init, \"ax\"\n.globl __executable_start\n__executable_start:\n.popsection");

static void try_near_library(char** command) {
  static const char* const above[] = {"/../../bin/psim", "/../../../bin/psim"};
  Dl_info info;
  char path[4096];
  if (!dladdr((void*)psim_attach_library, &info) || !info.dli_fname) return;
  const char* end = strrchr(info.dli_fname, '/');
  if (!end) return;
  for (unsigned i = 0; i < sizeof above / sizeof *above; ++i) {
    const int directory = (int)(end - info.dli_fname);
    if (snprintf(path, sizeof path, "%.*s%s", directory, info.dli_fname, above[i]) < (int)sizeof path)
      execv(path, command);
  }
}

/* Variables that launchers of other MPI libraries (Open MPI, MPICH) set for each process. */
static const char* const launched[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};

/* Returns the number of ranks. If a launcher starts several processes, the first runs all ranks. */
static const char* ranks_wanted(void) {
  const char* ranks = getenv("PSIM_RANKS");
  if (ranks) return ranks;
  for (unsigned i = 0; i < sizeof launched / sizeof *launched; ++i) {
    const char* size = getenv(launched[i][0]);
    const char* rank = getenv(launched[i][1]);
    if (!size || !rank) continue;
    if (atoi(rank) != 0) _exit(0);
    unsetenv(launched[i][0]); /* otherwise psim would share the network among them */
    return size;
  }
  setenv("PSIM_ALONE", "1", 1); /* tells psim that no command or launcher chose the ranks */
  return "1";
}

/* Appends the words of a text to a command; changes the text. */
static int add_words(char** command, int n, char* text, const char* separators) {
  for (char* word = strtok(text, separators); word; word = strtok(NULL, separators)) command[n++] = word;
  return n;
}

__attribute__((noreturn, used, visibility("hidden"))) void psim_run_alone(long* stack) {
  const int argc = (int)stack[0];
  char** argv = (char**)(stack + 1);
  char self[4096];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  const char* given = getenv("PSIM_COMMAND"); /* all options of a psim that runs a script */
  const char* options = given ? given : getenv("PSIM_OPTIONS"); /* the user's options, except for the ranks */
  char* words = strdup(options ? options : "");
  char** command = words ? calloc((size_t)argc + strlen(words) + 6, sizeof *command) : NULL;
  int n = 0;
  if (command && size > 0) {
    self[size] = '\0';
    command[n++] = "psim";
    command[n++] = "net";
    if (!given) {
      command[n++] = "-n";
      command[n++] = (char*)ranks_wanted();
    }
    n = add_words(command, n, words, given ? "\n" : " ");
    unsetenv("PSIM_COMMAND");
    command[n++] = self;
    for (int i = 1; i < argc; ++i) command[n++] = argv[i];
    const char* psim = getenv("PSIM");
    if (psim) execv(psim, command);
    try_near_library(command);
    execvp("psim", command);
  }
  fprintf(stderr, "%s: this is a program of ranks; run it with: psim net -n RANKS %s\n", argv[0], argv[0]);
  _exit(127);
}

__asm__(
    ".pushsection .text\n"
    ".globl psim_alone\n.hidden psim_alone\n.type psim_alone, @function\n"
    "psim_alone:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call psim_run_alone\n"
    "  hlt\n"
    ".size psim_alone, .-psim_alone\n"
    ".popsection\n");
