/* SPDX-License-Identifier: Apache-2.0
 * MPI for simulated processes. Every function declared here works; missing functions are not declared.
 * Handles are integers, the same in C and Fortran.
 */
#ifndef PSIM_MPI_H
#define PSIM_MPI_H

#include <stddef.h>
#include <stdint.h>

#define MPI_VERSION 4
#define MPI_SUBVERSION 1

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;
typedef int MPI_Fint;

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Win;
typedef int MPI_Request;
typedef int MPI_Message;
typedef int MPI_Session;
/* A pointer, as in other libraries: some programs initialize it with nullptr. Both halves are the handle's number, because an error
   handler of Fortran gets the address of a C handle. */
typedef struct psim_mpi_file *MPI_File;

/* Names of MPI-IO before it was part of the standard, which older programs use. */
#define MPIO_Request MPI_Request
#define MPIO_Test MPI_Test
#define MPIO_Wait MPI_Wait

typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int psim_cancelled;
  long long psim_bytes __attribute__((packed, aligned(4))); /* a status of Fortran is an array of INTEGER */
} MPI_Status;

/* The status of Fortran has the layout of C's. */
typedef MPI_Status MPI_F08_status;
#define MPI_F_STATUS_SIZE 6
#define MPI_F_SOURCE 0
#define MPI_F_TAG 1
#define MPI_F_ERROR 2
#define MPI_F08_STATUS_IGNORE ((MPI_F08_status *)0)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *)0)

#define MPI_COMM_NULL ((MPI_Comm)0x08000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x08000001)
#define MPI_COMM_SELF ((MPI_Comm)0x08000002)
#define MPI_GROUP_NULL ((MPI_Group)0x10000000)
#define MPI_GROUP_EMPTY ((MPI_Group)0x10000001)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x18000000)
#define MPI_OP_NULL ((MPI_Op)0x20000000)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x28000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x28000001)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x28000002)
#define MPI_ERRORS_ABORT ((MPI_Errhandler)0x28000003)
#define MPI_INFO_NULL ((MPI_Info)0x30000000)
#define MPI_INFO_ENV ((MPI_Info)0x30000001)
#define MPI_WIN_NULL ((MPI_Win)0x40000000)
#define MPI_FILE_NULL ((MPI_File)0x4800000048000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x50000000)
#define MPI_MESSAGE_NULL ((MPI_Message)0x58000000)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x58000001)
#define MPI_SESSION_NULL ((MPI_Session)0x60000000)

/* The tool information interface. */
typedef int MPI_T_enum;
typedef int MPI_T_cvar_handle;
typedef int MPI_T_pvar_handle;
typedef int MPI_T_pvar_session;
typedef int MPI_T_event_registration;
typedef int MPI_T_event_instance;
typedef int MPI_T_cb_safety;
typedef int MPI_T_source_order;
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_T_EVENT_REGISTRATION_NULL ((MPI_T_event_registration)0)
#define MPI_T_EVENT_INSTANCE_NULL ((MPI_T_event_instance)0)
#define MPI_T_CB_REQUIRE_NONE 0
#define MPI_T_CB_REQUIRE_MPI_RESTRICTED 1
#define MPI_T_CB_REQUIRE_THREAD_SAFE 2
#define MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE 3
#define MPI_T_SOURCE_ORDERED 1
#define MPI_T_SOURCE_UNORDERED 2
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)-1)
#define MPI_T_VERBOSITY_USER_BASIC 221
#define MPI_T_VERBOSITY_USER_DETAIL 222
#define MPI_T_VERBOSITY_USER_ALL 223
#define MPI_T_VERBOSITY_TUNER_BASIC 224
#define MPI_T_VERBOSITY_TUNER_DETAIL 225
#define MPI_T_VERBOSITY_TUNER_ALL 226
#define MPI_T_VERBOSITY_MPIDEV_BASIC 227
#define MPI_T_VERBOSITY_MPIDEV_DETAIL 228
#define MPI_T_VERBOSITY_MPIDEV_ALL 229
#define MPI_T_BIND_NO_OBJECT 0
#define MPI_T_BIND_MPI_COMM 1
#define MPI_T_BIND_MPI_DATATYPE 2
#define MPI_T_BIND_MPI_ERRHANDLER 3
#define MPI_T_BIND_MPI_FILE 4
#define MPI_T_BIND_MPI_GROUP 5
#define MPI_T_BIND_MPI_OP 6
#define MPI_T_BIND_MPI_REQUEST 7
#define MPI_T_BIND_MPI_WIN 8
#define MPI_T_BIND_MPI_MESSAGE 9
#define MPI_T_BIND_MPI_INFO 10
#define MPI_T_BIND_MPI_SESSION 11
#define MPI_T_SCOPE_CONSTANT 60438
#define MPI_T_SCOPE_READONLY 60439
#define MPI_T_SCOPE_LOCAL 60440
#define MPI_T_SCOPE_GROUP 60441
#define MPI_T_SCOPE_GROUP_EQ 60442
#define MPI_T_SCOPE_ALL 60443
#define MPI_T_SCOPE_ALL_EQ 60444
#define MPI_T_PVAR_CLASS_STATE 240
#define MPI_T_PVAR_CLASS_LEVEL 241
#define MPI_T_PVAR_CLASS_SIZE 242
#define MPI_T_PVAR_CLASS_PERCENTAGE 243
#define MPI_T_PVAR_CLASS_HIGHWATERMARK 244
#define MPI_T_PVAR_CLASS_LOWWATERMARK 245
#define MPI_T_PVAR_CLASS_COUNTER 246
#define MPI_T_PVAR_CLASS_AGGREGATE 247
#define MPI_T_PVAR_CLASS_TIMER 248
#define MPI_T_PVAR_CLASS_GENERIC 249

#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ROOT (-3)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID 0x38000000

#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_BUFFER_AUTOMATIC ((void *)-4)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_UNWEIGHTED ((int *)-2)
#define MPI_WEIGHTS_EMPTY ((int *)-3)
#define MPI_F_STATUS_IGNORE ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)

#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_INFO_KEY 255
#define MPI_MAX_INFO_VAL 1024
#define MPI_MAX_PORT_NAME 256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_DATAREP_STRING 128
#define MPI_MAX_PSET_NAME_LEN 1024
#define MPI_MAX_STRINGTAG_LEN 1024
#define MPI_BSEND_OVERHEAD 64

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3

#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3
#define MPI_COMM_TYPE_SHARED 1
#define MPI_COMM_TYPE_HW_UNGUIDED 2
#define MPI_COMM_TYPE_HW_GUIDED 3
#define MPI_COMM_TYPE_RESOURCE_GUIDED 4

/* Keyvals of MPI_COMM_WORLD and of windows. */
#define MPI_TAG_UB 0x38000001
#define MPI_HOST 0x38000002
#define MPI_IO 0x38000003
#define MPI_WTIME_IS_GLOBAL 0x38000004
#define MPI_UNIVERSE_SIZE 0x38000005
#define MPI_APPNUM 0x38000006
#define MPI_LASTUSEDCODE 0x38000007
#define MPI_WIN_BASE 0x38000008
#define MPI_WIN_SIZE 0x38000009
#define MPI_WIN_DISP_UNIT 0x3800000a
#define MPI_WIN_CREATE_FLAVOR 0x3800000b
#define MPI_WIN_MODEL 0x3800000c

#define MPI_WIN_FLAVOR_CREATE 1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC 3
#define MPI_WIN_FLAVOR_SHARED 4
#define MPI_WIN_SEPARATE 1
#define MPI_WIN_UNIFIED 2
#define MPI_LOCK_EXCLUSIVE 1
#define MPI_LOCK_SHARED 2
#define MPI_MODE_NOCHECK 1024
#define MPI_MODE_NOSTORE 2048
#define MPI_MODE_NOPUT 4096
#define MPI_MODE_NOPRECEDE 8192
#define MPI_MODE_NOSUCCEED 16384

/* Files. */
#define MPI_MODE_CREATE 1
#define MPI_MODE_RDONLY 2
#define MPI_MODE_WRONLY 4
#define MPI_MODE_RDWR 8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN 32
#define MPI_MODE_EXCL 64
#define MPI_MODE_APPEND 128
#define MPI_MODE_SEQUENTIAL 256
#define MPI_SEEK_SET 600
#define MPI_SEEK_CUR 602
#define MPI_SEEK_END 604
#define MPI_DISPLACEMENT_CURRENT (-54278278)

/* Error classes. */
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_REQUEST 7
#define MPI_ERR_ROOT 8
#define MPI_ERR_GROUP 9
#define MPI_ERR_OP 10
#define MPI_ERR_TOPOLOGY 11
#define MPI_ERR_DIMS 12
#define MPI_ERR_ARG 13
#define MPI_ERR_UNKNOWN 14
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_OTHER 16
#define MPI_ERR_INTERN 17
#define MPI_ERR_PENDING 18
#define MPI_ERR_IN_STATUS 19
#define MPI_ERR_ACCESS 20
#define MPI_ERR_AMODE 21
#define MPI_ERR_ASSERT 22
#define MPI_ERR_BAD_FILE 23
#define MPI_ERR_BASE 24
#define MPI_ERR_CONVERSION 25
#define MPI_ERR_DISP 26
#define MPI_ERR_DUP_DATAREP 27
#define MPI_ERR_FILE_EXISTS 28
#define MPI_ERR_FILE_IN_USE 29
#define MPI_ERR_FILE 30
#define MPI_ERR_INFO_KEY 31
#define MPI_ERR_INFO_NOKEY 32
#define MPI_ERR_INFO_VALUE 33
#define MPI_ERR_INFO 34
#define MPI_ERR_IO 35
#define MPI_ERR_KEYVAL 36
#define MPI_ERR_LOCKTYPE 37
#define MPI_ERR_NAME 38
#define MPI_ERR_NO_MEM 39
#define MPI_ERR_NOT_SAME 40
#define MPI_ERR_NO_SPACE 41
#define MPI_ERR_NO_SUCH_FILE 42
#define MPI_ERR_PORT 43
#define MPI_ERR_QUOTA 44
#define MPI_ERR_READ_ONLY 45
#define MPI_ERR_RMA_CONFLICT 46
#define MPI_ERR_RMA_SYNC 47
#define MPI_ERR_SERVICE 48
#define MPI_ERR_SIZE 49
#define MPI_ERR_SPAWN 50
#define MPI_ERR_UNSUPPORTED_DATAREP 51
#define MPI_ERR_UNSUPPORTED_OPERATION 52
#define MPI_ERR_WIN 53
#define MPI_ERR_RMA_RANGE 54
#define MPI_ERR_RMA_ATTACH 55
#define MPI_ERR_RMA_FLAVOR 56
#define MPI_ERR_RMA_SHARED 57
#define MPI_T_ERR_MEMORY 58
#define MPI_T_ERR_NOT_INITIALIZED 59
#define MPI_T_ERR_CANNOT_INIT 60
#define MPI_T_ERR_INVALID_INDEX 61
#define MPI_T_ERR_INVALID_ITEM 62
#define MPI_T_ERR_INVALID_HANDLE 63
#define MPI_T_ERR_OUT_OF_HANDLES 64
#define MPI_T_ERR_OUT_OF_SESSIONS 65
#define MPI_T_ERR_INVALID_SESSION 66
#define MPI_T_ERR_CVAR_SET_NOT_NOW 67
#define MPI_T_ERR_CVAR_SET_NEVER 68
#define MPI_T_ERR_PVAR_NO_STARTSTOP 69
#define MPI_T_ERR_PVAR_NO_WRITE 70
#define MPI_T_ERR_PVAR_NO_ATOMIC 71
#define MPI_T_ERR_INVALID_NAME 72
#define MPI_T_ERR_INVALID 73
#define MPI_ERR_PROC_ABORTED 74
#define MPI_ERR_VALUE_TOO_LARGE 75
#define MPI_ERR_SESSION 76
#define MPI_ERR_ERRHANDLER 77
#define MPI_T_ERR_NOT_SUPPORTED 78
#define MPI_T_ERR_NOT_ACCESSIBLE 79
#define MPI_ERR_LASTCODE 1023

/* Basic datatypes. */
#define MPI_CHAR ((MPI_Datatype)0x18000001)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x18000002)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x18000003)
#define MPI_BYTE ((MPI_Datatype)0x18000004)
#define MPI_WCHAR ((MPI_Datatype)0x18000005)
#define MPI_SHORT ((MPI_Datatype)0x18000006)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x18000007)
#define MPI_INT ((MPI_Datatype)0x18000008)
#define MPI_UNSIGNED ((MPI_Datatype)0x18000009)
#define MPI_LONG ((MPI_Datatype)0x1800000a)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x1800000b)
#define MPI_LONG_LONG_INT ((MPI_Datatype)0x1800000c)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x1800000d)
#define MPI_FLOAT ((MPI_Datatype)0x1800000e)
#define MPI_DOUBLE ((MPI_Datatype)0x1800000f)
#define MPI_LONG_DOUBLE ((MPI_Datatype)0x18000010)
#define MPI_INT8_T ((MPI_Datatype)0x18000011)
#define MPI_UINT8_T ((MPI_Datatype)0x18000012)
#define MPI_INT16_T ((MPI_Datatype)0x18000013)
#define MPI_UINT16_T ((MPI_Datatype)0x18000014)
#define MPI_INT32_T ((MPI_Datatype)0x18000015)
#define MPI_UINT32_T ((MPI_Datatype)0x18000016)
#define MPI_INT64_T ((MPI_Datatype)0x18000017)
#define MPI_UINT64_T ((MPI_Datatype)0x18000018)
#define MPI_C_BOOL ((MPI_Datatype)0x18000019)
#define MPI_C_COMPLEX ((MPI_Datatype)0x1800001a)
#define MPI_C_FLOAT_COMPLEX MPI_C_COMPLEX
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x1800001b)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x1800001c)
#define MPI_CXX_BOOL ((MPI_Datatype)0x1800001d)
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)0x1800001e)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)0x1800001f)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x18000020)
#define MPI_PACKED ((MPI_Datatype)0x18000021)
#define MPI_AINT ((MPI_Datatype)0x18000022)
#define MPI_COUNT ((MPI_Datatype)0x18000023)
#define MPI_OFFSET ((MPI_Datatype)0x18000024)
#define MPI_INTEGER ((MPI_Datatype)0x18000025)
#define MPI_REAL ((MPI_Datatype)0x18000026)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x18000027)
#define MPI_COMPLEX ((MPI_Datatype)0x18000028)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)0x18000029)
#define MPI_LOGICAL ((MPI_Datatype)0x1800002a)
#define MPI_CHARACTER ((MPI_Datatype)0x1800002b)
#define MPI_INTEGER1 ((MPI_Datatype)0x1800002c)
#define MPI_INTEGER2 ((MPI_Datatype)0x1800002d)
#define MPI_INTEGER4 ((MPI_Datatype)0x1800002e)
#define MPI_INTEGER8 ((MPI_Datatype)0x1800002f)
#define MPI_INTEGER16 ((MPI_Datatype)0x18000041)
#define MPI_REAL4 ((MPI_Datatype)0x18000030)
#define MPI_REAL8 ((MPI_Datatype)0x18000031)
#define MPI_REAL16 ((MPI_Datatype)0x18000032)
#define MPI_COMPLEX8 ((MPI_Datatype)0x18000033)
#define MPI_COMPLEX16 ((MPI_Datatype)0x18000034)
#define MPI_COMPLEX32 ((MPI_Datatype)0x18000035)
#define MPI_2INT ((MPI_Datatype)0x18000036)
#define MPI_SHORT_INT ((MPI_Datatype)0x18000037)
#define MPI_LONG_INT ((MPI_Datatype)0x18000038)
#define MPI_FLOAT_INT ((MPI_Datatype)0x18000039)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x1800003a)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x1800003b)
#define MPI_2INTEGER ((MPI_Datatype)0x1800003c)
#define MPI_2REAL ((MPI_Datatype)0x1800003d)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)0x1800003e)
#define MPI_LB ((MPI_Datatype)0x1800003f)
#define MPI_UB ((MPI_Datatype)0x18000040)

#define MPI_MAX ((MPI_Op)0x20000001)
#define MPI_MIN ((MPI_Op)0x20000002)
#define MPI_SUM ((MPI_Op)0x20000003)
#define MPI_PROD ((MPI_Op)0x20000004)
#define MPI_LAND ((MPI_Op)0x20000005)
#define MPI_BAND ((MPI_Op)0x20000006)
#define MPI_LOR ((MPI_Op)0x20000007)
#define MPI_BOR ((MPI_Op)0x20000008)
#define MPI_LXOR ((MPI_Op)0x20000009)
#define MPI_BXOR ((MPI_Op)0x2000000a)
#define MPI_MAXLOC ((MPI_Op)0x2000000b)
#define MPI_MINLOC ((MPI_Op)0x2000000c)
#define MPI_REPLACE ((MPI_Op)0x2000000d)
#define MPI_NO_OP ((MPI_Op)0x2000000e)

#define MPI_COMBINER_NAMED 1
#define MPI_COMBINER_DUP 2
#define MPI_COMBINER_CONTIGUOUS 3
#define MPI_COMBINER_VECTOR 4
#define MPI_COMBINER_HVECTOR 5
#define MPI_COMBINER_INDEXED 6
#define MPI_COMBINER_HINDEXED 7
#define MPI_COMBINER_INDEXED_BLOCK 8
#define MPI_COMBINER_HINDEXED_BLOCK 9
#define MPI_COMBINER_STRUCT 10
#define MPI_COMBINER_SUBARRAY 11
#define MPI_COMBINER_DARRAY 12
#define MPI_COMBINER_F90_REAL 13
#define MPI_COMBINER_F90_COMPLEX 14
#define MPI_COMBINER_F90_INTEGER 15
#define MPI_COMBINER_RESIZED 16
#define MPI_COMBINER_HVECTOR_INTEGER 17
#define MPI_COMBINER_HINDEXED_INTEGER 18
#define MPI_COMBINER_STRUCT_INTEGER 19
#define MPI_COMBINER_VALUE_INDEX 20

#define MPI_ORDER_C 0
#define MPI_ORDER_FORTRAN 1
#define MPI_DISTRIBUTE_NONE 0
#define MPI_DISTRIBUTE_BLOCK 1
#define MPI_DISTRIBUTE_CYCLIC 2
#define MPI_DISTRIBUTE_DFLT_DARG (-1)
#define MPI_TYPECLASS_INTEGER 1
#define MPI_TYPECLASS_REAL 2
#define MPI_TYPECLASS_COMPLEX 3

#ifdef __cplusplus
extern "C" {
#endif

typedef void(MPI_User_function)(void *, void *, int *, MPI_Datatype *);
typedef void(MPI_User_function_c)(void *, void *, MPI_Count *, MPI_Datatype *);
typedef void(MPI_Comm_errhandler_function)(MPI_Comm *, int *, ...);
typedef void(MPI_Win_errhandler_function)(MPI_Win *, int *, ...);
typedef void(MPI_File_errhandler_function)(MPI_File *, int *, ...);
typedef void(MPI_Session_errhandler_function)(MPI_Session *, int *, ...);
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef int(MPI_Comm_copy_attr_function)(MPI_Comm, int, void *, void *, void *, int *);
typedef int(MPI_Comm_delete_attr_function)(MPI_Comm, int, void *, void *);
typedef int(MPI_Type_copy_attr_function)(MPI_Datatype, int, void *, void *, void *, int *);
typedef int(MPI_Type_delete_attr_function)(MPI_Datatype, int, void *, void *);
typedef int(MPI_Win_copy_attr_function)(MPI_Win, int, void *, void *, void *, int *);
typedef int(MPI_Win_delete_attr_function)(MPI_Win, int, void *, void *);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef int(MPI_Datarep_conversion_function)(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
typedef int(MPI_Datarep_conversion_function_c)(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
typedef int(MPI_Datarep_extent_function)(MPI_Datatype, MPI_Aint *, void *);
typedef int(MPI_Grequest_query_function)(void *, MPI_Status *);
typedef int(MPI_Grequest_free_function)(void *);
typedef int(MPI_Grequest_cancel_function)(void *, int);
typedef void(MPI_T_event_cb_function)(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void(MPI_T_event_free_cb_function)(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void(MPI_T_event_dropped_cb_function)(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void *);

#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)
#define MPI_CONVERSION_FN_NULL_C ((MPI_Datarep_conversion_function_c *)0)
#define MPI_NULL_COPY_FN ((MPI_Copy_function *)0)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function *)0)
#define MPI_DUP_FN ((MPI_Copy_function *)1)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_COMM_DUP_FN ((MPI_Comm_copy_attr_function *)1)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_TYPE_DUP_FN ((MPI_Type_copy_attr_function *)1)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
#define MPI_WIN_DUP_FN ((MPI_Win_copy_attr_function *)1)

#define PSIM_MPI_FUNCTION(result, name, arguments) \
  result MPI_##name arguments;                     \
  result PMPI_##name arguments;
#include "mpi_functions.h"
#undef PSIM_MPI_FUNCTION

#ifdef __cplusplus
}
#endif
#endif
