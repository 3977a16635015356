/* SPDX-License-Identifier: Apache-2.0
 * Files: views, individual and shared pointers, collective, non-blocking and split access, errors. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, size;
static char name[64];

/* Reads the whole file on rank 0, without MPI. */
static void show(const char *what) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) {
    FILE *f = fopen(name, "rb");
    unsigned long hash = 5381;
    int c, n = 0;
    while ((c = getc(f)) != EOF) hash = hash * 33 + (unsigned)c, ++n;
    fclose(f);
    printf("%s: %d bytes %lx\n", what, n, hash);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void got(const char *what, MPI_Status *status, MPI_Datatype type, const int *data, int n) {
  int count;
  MPI_Get_count(status, type, &count);
  printf("%d %s: %d:", me, what, count);
  for (int i = 0; i < n; ++i) printf(" %d", data[i]);
  printf("\n");
}

static void offsets(void) {
  MPI_File f;
  MPI_Status status;
  MPI_Request request;
  int data[8], back[8], flag, amode;
  MPI_Offset length, position;
  printf("%d open %d\n", me, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
  for (int i = 0; i < 8; ++i) data[i] = me * 100 + i;
  MPI_File_write_at(f, me * 32, data, 8, MPI_INT, &status);
  got("write_at", &status, MPI_INT, data, 1);
  MPI_File_sync(f);
  show("written");
  memset(back, 0, sizeof back);
  MPI_File_read_at_all(f, (me + 1) % size * 32, back, 8, MPI_INT, &status);
  got("read_at_all", &status, MPI_INT, back, 8);
  MPI_File_read_at(f, (size - 1) * 32 + 16, back, 8, MPI_INT, &status);
  got("end of the file", &status, MPI_INT, back, 4);
  MPI_File_get_size(f, &length);
  MPI_File_get_amode(f, &amode);
  MPI_File_get_atomicity(f, &flag);
  printf("%d size %lld amode %d atomic %d\n", me, (long long)length, amode == (MPI_MODE_CREATE | MPI_MODE_RDWR), flag);
  MPI_File_seek(f, me * 32 + 8, MPI_SEEK_SET);
  MPI_File_read(f, back, 2, MPI_INT, &status);
  MPI_File_get_position(f, &position);
  got("read", &status, MPI_INT, back, 2);
  MPI_File_seek(f, -4, MPI_SEEK_CUR);
  MPI_File_iread(f, back, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  got("iread", &status, MPI_INT, back, 1);
  MPIO_Request older;  /* names used by older programs */
  MPI_File_iread_at(f, me * 32, back, 1, MPI_INT, &older);
  MPIO_Wait(&older, &status);
  got("older names", &status, MPI_INT, back, 1);
  MPI_File_seek(f, -4, MPI_SEEK_END);
  MPI_File_read(f, back, 1, MPI_INT, &status);
  got("from the end", &status, MPI_INT, back, 1);
  MPI_File_get_position(f, &position);
  printf("%d position %lld\n", me, (long long)position);
  MPI_File_set_size(f, 40);
  MPI_File_get_size(f, &length);
  MPI_File_preallocate(f, 64);
  MPI_File_get_size(f, &position);
  printf("%d sizes %lld %lld\n", me, (long long)length, (long long)position);
  MPI_File_close(&f);
  printf("%d closed %d\n", me, f == MPI_FILE_NULL);
}

/* Every rank has each size-th pair of numbers, after a header. */
static void views(void) {
  MPI_File f;
  MPI_Status status;
  MPI_Datatype filetype, memory, etype;
  int data[24], back[24];
  MPI_Offset place, displacement;
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_set_size(f, 0);
  MPI_Type_contiguous(2, MPI_INT, &memory);
  MPI_Type_create_resized(memory, 0, (MPI_Aint)(8 * size), &filetype);
  MPI_Type_commit(&filetype);
  MPI_File_set_view(f, 16 + 8 * me, MPI_INT, filetype, "native", MPI_INFO_NULL);
  for (int i = 0; i < 24; ++i) data[i] = me * 1000 + i;
  MPI_File_write_all(f, data, 6, MPI_INT, &status);
  got("write_all", &status, MPI_INT, data, 1);
  show("interleaved");
  MPI_File_get_byte_offset(f, 3, &place);
  MPI_File_get_view(f, &displacement, &etype, &memory, representation);
  printf("%d byte %lld view %lld %d %s\n", me, (long long)place, (long long)displacement, etype == MPI_INT, representation);
  MPI_File_seek(f, 1, MPI_SEEK_SET);
  memset(back, 0, sizeof back);
  MPI_File_read(f, back, 4, MPI_INT, &status);
  got("through the view", &status, MPI_INT, back, 4);
  /* Holes in memory too. */
  MPI_Datatype sparse;
  MPI_Type_vector(3, 2, 4, MPI_INT, &sparse);
  MPI_Type_commit(&sparse);
  MPI_File_write_at_all(f, 6, data, 2, sparse, &status);
  got("sparse", &status, sparse, data, 0);
  show("sparse");
  memset(back, 0, sizeof back);
  MPI_File_read_at(f, 6, back, 1, sparse, &status);
  got("sparse back", &status, sparse, back, 12);
  /* A subarray: columns of a matrix. */
  int whole[2] = {4, 2 * size}, mine[2] = {4, 2}, start[2] = {0, 2 * me};
  MPI_Datatype columns;
  MPI_Type_create_subarray(2, whole, mine, start, MPI_ORDER_C, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  MPI_File_set_view(f, 0, MPI_INT, columns, "native", MPI_INFO_NULL);
  MPI_File_write_all_begin(f, data, 8, MPI_INT);
  MPI_File_write_all_end(f, data, &status);
  got("columns", &status, MPI_INT, data, 0);
  show("matrix");
  MPI_File_read_at_all_begin(f, 2, back, 3, MPI_INT);
  MPI_File_read_at_all_end(f, back, &status);
  got("columns back", &status, MPI_INT, back, 3);
  /* The last rank has no share. */
  int length = me == size - 1 ? 0 : 4;
  MPI_Aint at = 12 * me;
  MPI_Datatype share;
  MPI_Type_create_hindexed(1, &length, &at, MPI_BYTE, &share);
  MPI_Type_commit(&share);
  printf("%d share %d\n", me, MPI_File_set_view(f, 0, MPI_BYTE, share, "native", MPI_INFO_NULL));
  MPI_File_write_at_all(f, 0, data, length, MPI_BYTE, &status);
  got("share", &status, MPI_BYTE, data, 0);
  MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  show("shares");
  MPI_Type_free(&share);
  MPI_File_close(&f);
  MPI_Type_free(&columns);
  MPI_Type_free(&sparse);
  MPI_Type_free(&filetype);
}

static void shared(void) {
  MPI_File f;
  MPI_Status status;
  MPI_Offset position;
  int data[4], back[4], sum = 0, total;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_set_size(f, 0);
  MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int i = 0; i < 4; ++i) data[i] = me * 10 + i;
  MPI_File_write_ordered(f, data, 1 + me % 3, MPI_INT, &status);
  got("write_ordered", &status, MPI_INT, data, 0);
  show("ordered");
  MPI_File_get_position_shared(f, &position);
  printf("%d shared %lld\n", me, (long long)position);
  MPI_Barrier(MPI_COMM_WORLD); /* a seek may move it before other ranks have read it */
  MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
  memset(back, 0, sizeof back);
  MPI_File_read_ordered(f, back, 1, MPI_INT, &status);
  got("read_ordered", &status, MPI_INT, back, 1);
  MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_shared(f, back, 1, MPI_INT, &status);  /* the order of ranks is undefined, but everything is read */
  MPI_Barrier(MPI_COMM_WORLD);
  sum = back[0];
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_File_get_position_shared(f, &position);
  printf("%d read_shared %d %lld\n", me, total, (long long)position);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
  MPI_File_set_size(f, 0);
  data[0] = 7;
  MPI_File_write_shared(f, data, 1, MPI_INT, &status);
  show("write_shared");
  MPI_File_close(&f);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &f);
  MPI_File_get_position(f, &position);
  printf("%d append %lld\n", me, (long long)position);
  MPI_File_close(&f);
}

static int heard;
static void on_error(MPI_File *file, int *code, ...) {
  (void)file;
  ++heard;
  (void)code;
}

static void errors(void) {
  MPI_File f;
  int class_of, code = MPI_File_open(MPI_COMM_WORLD, "/nonexistent/folder/x", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  MPI_Error_class(code, &class_of);
  printf("%d missing %d\n", me, class_of == MPI_ERR_NO_SUCH_FILE);
  code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_Error_class(code, &class_of);
  printf("%d amode %d\n", me, class_of == MPI_ERR_AMODE);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  code = MPI_File_write(f, &code, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Error_class(code, &class_of);
  printf("%d write %d\n", me, code != MPI_SUCCESS);
  MPI_Errhandler handler;
  MPI_File_create_errhandler(on_error, &handler);
  MPI_File_set_errhandler(f, handler);
  MPI_File_call_errhandler(f, MPI_ERR_OTHER);
  printf("%d heard %d\n", me, heard);
  MPI_Errhandler_free(&handler);
  MPI_Info info;
  MPI_File_get_info(f, &info);
  MPI_Info_free(&info);
  MPI_Group group;
  int n;
  MPI_File_get_group(f, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  printf("%d group %d\n", me, n);
  MPI_File_close(&f);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d deleted %d\n", me, access(name, F_OK) != 0);
}

/* Ranks remove the file after rank 0 has called; the collective open creates it after that. */
static void removed_late(void) {
  MPI_Comm others;
  MPI_File f;
  MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? MPI_UNDEFINED : 0, 0, &others);
  if (me != 0) {
    for (int i = 0; i < 20; ++i) MPI_Barrier(others);
    MPI_Comm_free(&others);
    unlink(name);
  }
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d there %d\n", me, access(name, F_OK) == 0);
  MPI_File_close(&f);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  strcpy(name, "/tmp/psim-files-XXXXXX");
  if (me == 0) close(mkstemp(name));
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  offsets();
  views();
  shared();
  errors();
  removed_late();
  MPI_Finalize();
  return 0;
}
