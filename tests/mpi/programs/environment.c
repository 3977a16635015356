/* SPDX-License-Identifier: Apache-2.0
 * Errors and their texts, types of Fortran kinds, data representations, no parent, tools, null buffers, cancelling. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, size;

static const char *name_of(int code) {
  int class_of;
  if (MPI_Error_class(code, &class_of) != MPI_SUCCESS) return "no class";
  switch (class_of) {
    case MPI_SUCCESS: return "success";
    case MPI_ERR_ARG: return "argument";
    case MPI_ERR_BUFFER: return "buffer";
    case MPI_ERR_OP: return "operation";
    case MPI_ERR_TYPE: return "type";
    case MPI_ERR_COUNT: return "count";
    case MPI_ERR_TAG: return "tag";
    case MPI_ERR_RANK: return "rank";
    case MPI_ERR_COMM: return "communicator";
    case MPI_ERR_ROOT: return "root";
    case MPI_ERR_DUP_DATAREP: return "representation exists";
    default: return "other";
  }
}

static void errors(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length, code, added, class_of;
  printf("rank %d unknown %s %s %s\n", me, name_of(MPI_Error_string(-5, text, &length)), name_of(MPI_Error_class(1 << 30, &code)),
         name_of(MPI_Error_string(1 << 30, text, &length)));
  MPI_Add_error_class(&class_of);
  MPI_Add_error_code(class_of, &added);
  MPI_Error_string(added, text, &length);
  printf("rank %d added: '%s' %d", me, text, length);
  MPI_Add_error_string(added, "the program's own");
  MPI_Error_string(added, text, &length);
  MPI_Error_class(added, &code);
  printf(", '%s' %d %d\n", text, length, code == class_of);
  int good = 1;
  for (code = 0; code <= MPI_ERR_WIN; ++code) good = good && MPI_Error_string(code, text, &length) == MPI_SUCCESS && length == (int)strlen(text);
  printf("rank %d all strings %d\n", me, good);
}

static void wrong(void) {
  double x = 1, y;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  printf("rank %d send: %s %s %s %s %s %s\n", me, name_of(MPI_Send(NULL, 1, MPI_INT, me, 0, MPI_COMM_WORLD)),
         name_of(MPI_Send(&x, -1, MPI_INT, me, 0, MPI_COMM_WORLD)), name_of(MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD)),
         name_of(MPI_Send(&x, 1, MPI_INT, me, -3, MPI_COMM_WORLD)), name_of(MPI_Send(&x, 1, MPI_DATATYPE_NULL, me, 0, MPI_COMM_WORLD)),
         name_of(MPI_Recv(NULL, 1, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)));
  MPI_Request request;
  printf("rank %d isend: %s %s\n", me, name_of(MPI_Isend(NULL, 3, MPI_CHAR, me, 0, MPI_COMM_WORLD, &request)),
         name_of(MPI_Irecv(NULL, 3, MPI_CHAR, me, 0, MPI_COMM_WORLD, &request)));
  printf("rank %d operations: %s %s %s\n", me, name_of(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BXOR, MPI_COMM_SELF)),
         name_of(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAXLOC, MPI_COMM_SELF)),
         name_of(MPI_Allreduce(&x, &y, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, MPI_COMM_SELF)));
  printf("rank %d root: %s %s\n", me, name_of(MPI_Bcast(&x, 1, MPI_INT, -7, MPI_COMM_SELF)), name_of(MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_SELF)));
  MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Sendrecv(NULL, 0, MPI_INT, me, 1, NULL, 0, MPI_INT, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Only the root's arguments are wrong; the next collective is another. */
static void wrong_at_root(void) {
  int all[64] = {0}, sum = 0;
  const int code = MPI_Gather(me == 0 ? NULL : all, me == 0 ? -1 : 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("rank %d gather %s\n", me, me == 0 ? name_of(code) : "");
  MPI_Reduce(&me, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("sum after it %d\n", sum);
}

static void kinds(void) {
  MPI_Datatype a, b, c;
  int bytes, integers, addresses, types, combiner, given[2];
  double x[2] = {me + 0.5, me}, sum[2];
  MPI_Type_create_f90_real(15, 307, &a);
  MPI_Type_create_f90_real(15, 307, &b);
  MPI_Type_size(a, &bytes);
  MPI_Type_get_envelope(a, &integers, &addresses, &types, &combiner);
  MPI_Type_get_contents(a, integers, 0, 0, given, NULL, NULL);
  MPI_Allreduce(x, sum, 2, a, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d real: same %d, %d bytes, %d %d %d, %d; %d %d; %.1f %.1f\n", me, a == b, bytes, integers, addresses, types,
         combiner == MPI_COMBINER_F90_REAL, given[0], given[1], sum[0], sum[1]);
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &a);
  MPI_Type_create_f90_complex(MPI_UNDEFINED, 100, &b);
  MPI_Type_create_f90_integer(12, &c);
  printf("rank %d sizes", me);
  MPI_Type_size(a, &bytes);
  printf(" %d", bytes);
  MPI_Type_size(b, &bytes);
  printf(" %d", bytes);
  MPI_Type_size(c, &bytes);
  MPI_Type_get_envelope(c, &integers, &addresses, &types, &combiner);
  MPI_Type_get_contents(c, integers, 0, 0, given, NULL, NULL);
  printf(" %d; %d %d %d\n", bytes, integers, combiner == MPI_COMBINER_F90_INTEGER, given[0]);
  printf("rank %d too much: %s\n", me, name_of(MPI_Type_create_f90_real(99, 9999, &a)));
}

static void cancel(void) {
  MPI_Request request;
  MPI_Status status;
  int value = 0, cancelled;
  MPI_Irecv(&value, 1, MPI_INT, me, 77, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  printf("rank %d receive cancelled %d\n", me, cancelled);
  /* A send that is not cancelled must arrive. */
  const int sent = me + 5;
  MPI_Isend(&sent, 1, MPI_INT, me, 78, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  if (!cancelled) MPI_Recv(&value, 1, MPI_INT, me, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d send consistent %d\n", me, cancelled || value == sent);
}

static void tools(void) {
  int provided, number = -1;
  printf("rank %d tools %d", me, MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  printf(" %d", MPI_T_cvar_get_num(&number) == MPI_SUCCESS && number >= 0);
  printf(" %d", MPI_T_pvar_get_num(&number) == MPI_SUCCESS && number >= 0);
  printf(" %d", MPI_T_category_get_num(&number) == MPI_SUCCESS && number >= 0);
  printf(" %d", MPI_T_cvar_get_index("no such variable", &number) != MPI_SUCCESS);
  MPI_T_pvar_session session;
  printf(" %d", MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
  printf(" %d", MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);
  printf(" %d", MPI_T_finalize() == MPI_SUCCESS);
  printf(" %d\n", MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm parent = MPI_COMM_SELF;
  MPI_Comm_get_parent(&parent);
  printf("rank %d parent %d\n", me, parent == MPI_COMM_NULL);
  errors();
  wrong();
  wrong_at_root();
  kinds();
  cancel();
  tools();
  MPI_Finalize();
  return 0;
}
