/* SPDX-License-Identifier: Apache-2.0
   Ends in the way that its argument names. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* way = "";

/* Called by the library while no rank runs. */
static void strange(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
  if (strcmp(way, "crash") == 0) *(volatile int*)16 = 1;
  if (strcmp(way, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  if (strcmp(way, "wait") == 0) MPI_Recv(inout, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(way, "exit") == 0) exit(4);
}

int main(int argc, char** argv) {
  int rank;
  char byte = 0;
  const char* how = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(how, "deadlock") == 0) MPI_Recv(&byte, 1, MPI_CHAR, (rank + 1) % 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(how, "leave") == 0 && rank != 0) exit(0);
  if (strcmp(how, "leave-6") == 0) {  // other ranks poll forever
    if (rank == 1) exit(6);
    for (int here = 0; !here;) MPI_Iprobe(1, 7, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
  }
  if (strcmp(how, "crash-of-polls") == 0) { /* after the third, which psim looks beyond */
    static volatile int polls;
    for (int here = 0; !here;) {
      MPI_Iprobe(1, 7, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
      if (++polls == 3) *(volatile int*)16 = 1;
    }
  }
  if (strcmp(how, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (strcmp(how, "assert") == 0) assert(rank != 1);
  if (strcmp(how, "abort-0") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 0);
  if (strcmp(how, "crash") == 0 && rank == 1) *(volatile int*)16 = 1;
  if (strcmp(how, "heap") == 0 && rank == 1) { /* a block freed twice, which damages nothing else */
    char* volatile block = malloc(40);
    memset(block, 7, 40);
    free(block);
    free(block);
  }
  if (strncmp(how, "reduce-", 7) == 0) {
    const int number = rank;
    int result;
    MPI_Op op;
    way = how + 7;
    MPI_Op_create(strange, 1, &op);
    MPI_Allreduce(&number, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
  }
  if (strcmp(how, "beyond") == 0) { /* the library detects it while no rank runs */
    MPI_Win window;
    MPI_Win_create(&byte, 1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&byte, 1, MPI_CHAR, 1, 100, 1, MPI_CHAR, window);
    MPI_Win_fence(0, window);
  }
  if (strcmp(how, "nowhere") == 0) { /* a window without memory, accessed while no rank runs */
    MPI_Win window;
    MPI_Win_create(rank == 1 ? (void*)4096 : NULL, rank == 1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&byte, 1, MPI_CHAR, 1, 0, 1, MPI_CHAR, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
  }
  if (strcmp(how, "apart") == 0) { /* ranks of two nodes in place of one */
    MPI_Win window;
    char* memory;
    MPI_Win_allocate_shared(1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_free(&window);
  }
  if (strcmp(how, "status") == 0) {
    MPI_Finalize();
    return rank == 1 ? 5 : 0;
  }
  if (strcmp(how, "exec") == 0 && rank == 1) execlp("true", "true", NULL);
  if (strcmp(how, "exec-child") == 0) {
    int status = 0;
    char* variables[] = {"CODE=9", NULL};
    if (fork() == 0) execle("/bin/sh", "sh", "-c", "exit $CODE", NULL, variables);
    wait(&status);
    MPI_Finalize();
    return WEXITSTATUS(status);
  }
  if (strcmp(how, "forever") == 0)
    for (;;) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
