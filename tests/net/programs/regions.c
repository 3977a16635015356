/* Two regions with work between two barriers. `regions CASE`: case plain prints each rank's time and a sum;
   the others are mistakes of rank 1, and nested regions. */
#include <mpi.h>
#include <pthread.h>
#include <psim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

static double work(int n) {
  double sum = 0;
  for (int i = 1; i <= n * n; ++i) sum += 1.0 / i;
  return sum;
}

static double product(int n, int m) {
  PSIM_REGION_BEGIN("product", n, m);
  const double sum = work(n) * m;
  PSIM_REGION_END("product");
  return sum;
}

static void *of_a_thread(void *unused) {
  product(8, 1);
  return unused;
}

static void *sends_to_the_next(void *unused) {
  int ranks, value = rank, other = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, 1, &other, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return unused;
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "plain";
  int level;
  MPI_Init_thread(&count, &words, strcmp(what, "thread-calls") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(what, "plain")) {
    /* product(64, 3) twice, product(100, 3) once, exchange(1000) three times. */
    double sum = 0, all = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int step = 0; step < 3; ++step) {
      sum += product(step == 2 ? 100 : 64, 3);
      PSIM_REGION_BEGIN("exchange", 1000);
      MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      PSIM_REGION_END("exchange");
    }
    printf("rank %d: %.9f s, %.6f\n", rank, MPI_Wtime() - begin, all);
  } else if (!strcmp(what, "uneven")) {
    product(64 * (rank + 1), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strcmp(what, "nested")) {
    const double begin = MPI_Wtime();
    PSIM_REGION_BEGIN("solve", 10);
    product(64, 1);
    PSIM_REGION_BEGIN("inner");
    PSIM_REGION_END("inner");
    PSIM_REGION_END("solve");
    printf("%.9f\n", MPI_Wtime() - begin);
  } else if (!strcmp(what, "calls")) {
    /* Regions in regions, with messages in both, and ranks that wait for slower ones. */
    double sum = rank, all = 0;
    for (int step = 0; step < 3; ++step) {
      PSIM_REGION_BEGIN("solve", 10);
      product(16 * (1 + (rank + step) % 3), 1);
      PSIM_REGION_BEGIN("exchange", step);
      sends_to_the_next(NULL);
      product(8, 2);
      MPI_Barrier(MPI_COMM_WORLD);
      PSIM_REGION_END("exchange");
      MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      PSIM_REGION_END("solve");
      MPI_Barrier(MPI_COMM_WORLD);
    }
  } else if (!strcmp(what, "thread-calls")) {
    pthread_t thread;
    PSIM_REGION_BEGIN("solve", 10);
    pthread_create(&thread, NULL, sends_to_the_next, NULL);
    product(16 * (1 + rank % 3), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    PSIM_REGION_END("solve");
    pthread_join(thread, NULL);
    product(8, 1);
  } else if (!strcmp(what, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, of_a_thread, NULL);
    pthread_join(thread, NULL);
    product(8, 1);
  } else if (rank == 1) {
    if (!strcmp(what, "twice")) {
      PSIM_REGION_BEGIN("solve", 1);
      PSIM_REGION_BEGIN("solve", 2);
    } else if (!strcmp(what, "never-ends")) {
      PSIM_REGION_BEGIN("solve", 1);
    } else if (!strcmp(what, "never-begins")) {
      PSIM_REGION_END("solve");
    } else if (!strcmp(what, "crossed")) {
      PSIM_REGION_BEGIN("solve", 1);
      PSIM_REGION_BEGIN("inner", 1);
      PSIM_REGION_END("solve");
    } else if (!strcmp(what, "arguments")) {
      PSIM_REGION_BEGIN("product", 1);
      PSIM_REGION_END("product");
    } else if (!strcmp(what, "exits")) {
      PSIM_REGION_BEGIN("solve", 1);
      exit(3);
    }
  }
  MPI_Finalize();
  return 0;
}
