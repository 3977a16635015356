/* SPDX-License-Identifier: Apache-2.0
   Data in external32: sizes and values of MPI_Pack_external, derived types, and views of files. Expected bytes are those of
   MPI-3.1 section 13.5.2. Then a representation of the program's own. Prints the number of errors. */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { NAME = 4096 };
static int wrong, me, size;
static const char* program;
#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) ++wrong, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
  } while (0)

static void sizes(void) {
  const struct {
    MPI_Datatype type;
    int bytes;
  } rows[] = {
      {MPI_PACKED, 1},         {MPI_BYTE, 1},           {MPI_CHAR, 1},
      {MPI_UNSIGNED_CHAR, 1},  {MPI_SIGNED_CHAR, 1},    {MPI_WCHAR, 2},
      {MPI_SHORT, 2},          {MPI_UNSIGNED_SHORT, 2}, {MPI_INT, 4},
      {MPI_UNSIGNED, 4},       {MPI_LONG, 4},           {MPI_UNSIGNED_LONG, 4},
      {MPI_LONG_LONG, 8},      {MPI_LONG_LONG_INT, 8},  {MPI_UNSIGNED_LONG_LONG, 8},
      {MPI_FLOAT, 4},          {MPI_DOUBLE, 8},         {MPI_LONG_DOUBLE, 16},
      {MPI_C_BOOL, 1},         {MPI_INT8_T, 1},         {MPI_INT16_T, 2},
      {MPI_INT32_T, 4},        {MPI_INT64_T, 8},        {MPI_UINT8_T, 1},
      {MPI_UINT16_T, 2},       {MPI_UINT32_T, 4},       {MPI_UINT64_T, 8},
      {MPI_AINT, 8},           {MPI_COUNT, 8},          {MPI_OFFSET, 8},
      {MPI_C_COMPLEX, 8},      {MPI_C_FLOAT_COMPLEX, 8}, {MPI_C_DOUBLE_COMPLEX, 16},
      {MPI_C_LONG_DOUBLE_COMPLEX, 32}, {MPI_CHARACTER, 1}, {MPI_LOGICAL, 4},
      {MPI_INTEGER, 4},        {MPI_REAL, 4},           {MPI_DOUBLE_PRECISION, 8},
      {MPI_COMPLEX, 8},        {MPI_DOUBLE_COMPLEX, 16}, {MPI_INTEGER1, 1},
      {MPI_INTEGER2, 2},       {MPI_INTEGER4, 4},       {MPI_INTEGER8, 8},
      {MPI_INTEGER16, 16},
      {MPI_REAL4, 4},          {MPI_REAL8, 8},          {MPI_REAL16, 16},
      {MPI_COMPLEX8, 8},       {MPI_COMPLEX16, 16},     {MPI_COMPLEX32, 32},
      {MPI_CXX_BOOL, 1},       {MPI_CXX_FLOAT_COMPLEX, 8}, {MPI_CXX_DOUBLE_COMPLEX, 16},
      {MPI_CXX_LONG_DOUBLE_COMPLEX, 32}, {MPI_SHORT_INT, 6}, {MPI_2INT, 8},
      {MPI_LONG_INT, 8},       {MPI_FLOAT_INT, 8},      {MPI_DOUBLE_INT, 12},
      {MPI_LONG_DOUBLE_INT, 20}, {MPI_2INTEGER, 8},     {MPI_2REAL, 8},
      {MPI_2DOUBLE_PRECISION, 16}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    MPI_Aint bytes = -1;
    MPI_Pack_external_size("external32", 3, rows[i].type, &bytes);
    if (bytes != 3 * rows[i].bytes) ++wrong, fprintf(stderr, "row %d: 3 elements have %ld bytes\n", (int)i, (long)bytes);
  }
  MPI_Datatype real;
  MPI_Aint bytes;
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real);
  MPI_Pack_external_size("external32", 1, real, &bytes);
  CHECK(bytes == 8);
}

/* Packs one element, compares the bytes with those written in hexadecimal, and unpacks it. */
static void value(int line, const void* in, MPI_Datatype type, const char* expected, const void* back, size_t bytes) {
  unsigned char packed[64];
  char text[129] = "", out[64];
  MPI_Aint position = 0;
  memset(out, 0x55, sizeof out);
  MPI_Pack_external("external32", in, 1, type, packed, sizeof packed, &position);
  for (MPI_Aint i = 0; i < position; ++i) sprintf(text + 2 * i, "%02x", packed[i]);
  if (strcmp(text, expected) != 0) ++wrong, fprintf(stderr, "line %d: packed as %s\n", line, text);
  const MPI_Aint end = position;
  position = 0;
  MPI_Unpack_external("external32", packed, end, &position, out, 1, type);
  if (position != end || memcmp(out, back, bytes) != 0) ++wrong, fprintf(stderr, "line %d: another value came back\n", line);
}
#define VALUE(c_type, value_in, type, expected, value_back)                     \
  do {                                                                          \
    const c_type in_ = value_in, back_ = value_back;                            \
    value(__LINE__, &in_, type, expected, &back_, sizeof back_);                \
  } while (0)

static void values(void) {
  VALUE(int, 258, MPI_INT, "00000102", 258);
  VALUE(short, -2, MPI_SHORT, "fffe", -2);
  VALUE(long, 0x12345678, MPI_LONG, "12345678", 0x12345678);
  VALUE(long, -2, MPI_LONG, "fffffffe", -2);
  VALUE(long, 0x7fffffff, MPI_LONG, "7fffffff", 0x7fffffff);
  VALUE(long, -0x80000000L, MPI_LONG, "80000000", -0x80000000L);
  /* A value that does not fit: its less significant bytes, with its sign. */
  VALUE(long, 0x123456789abcdef0, MPI_LONG, "1abcdef0", 0x1abcdef0);
  VALUE(long, -5000000000L, MPI_LONG, "d5fa0e00", (int)0xd5fa0e00);
  VALUE(unsigned long, 0x9abcdef0, MPI_UNSIGNED_LONG, "9abcdef0", 0x9abcdef0);
  VALUE(unsigned long, 0x123456789abcdef0, MPI_UNSIGNED_LONG, "9abcdef0", 0x9abcdef0);
  VALUE(long long, -2, MPI_LONG_LONG, "fffffffffffffffe", -2);
  VALUE(int64_t, 0x123456789abcdef0, MPI_INT64_T, "123456789abcdef0", 0x123456789abcdef0);
  VALUE(MPI_Aint, 0x123456789abcdef0, MPI_AINT, "123456789abcdef0", 0x123456789abcdef0);
  VALUE(__int128, ((__int128)-2 << 64) + 0x123456789abcdef0, MPI_INTEGER16, "fffffffffffffffe123456789abcdef0",
        ((__int128)-2 << 64) + 0x123456789abcdef0);
  VALUE(wchar_t, 0x20ac, MPI_WCHAR, "20ac", 0x20ac);
  VALUE(wchar_t, 0x1f600, MPI_WCHAR, "f600", 0xf600);
  VALUE(bool, true, MPI_C_BOOL, "01", true);
  VALUE(int, 1, MPI_LOGICAL, "00000001", 1);
  VALUE(float, 1.0f, MPI_FLOAT, "3f800000", 1.0f);
  VALUE(double, -2.0, MPI_DOUBLE, "c000000000000000", -2.0);
  const struct {
    float re, im;
  } pair = {1.0f, -2.0f};
  value(__LINE__, &pair, MPI_C_FLOAT_COMPLEX, "3f800000c0000000", &pair, sizeof pair);
  const struct {
    long value;
    int location;
  } located = {-1, 7};
  value(__LINE__, &located, MPI_LONG_INT, "ffffffff00000007", &located, 12);
  const struct {
    short value;
    int location;
  } short_located = {258, 7};
  value(__LINE__, &short_located, MPI_SHORT_INT, "010200000007", &short_located, 2);

  const long double numbers[] = {1.5L, -0.0L, 1 / 0.0L, -0x1p-16445L, 0x1.fffffffffffffffep+16383L};
  const char* const expected[] = {"3fff8000000000000000000000000000", "80000000000000000000000000000000",
                                  "7fff0000000000000000000000000000", "80000000000000000002000000000000",
                                  "7ffefffffffffffffffe000000000000"};
  for (int i = 0; i < 5; ++i) value(__LINE__, &numbers[i], MPI_LONG_DOUBLE, expected[i], &numbers[i], 10);
  /* A number of 113 binary digits is rounded to those of the machine. */
  unsigned char third[16] = {0x3f, 0xfd, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
  long double number = 0;
  MPI_Aint position = 0;
  MPI_Unpack_external("external32", third, 16, &position, &number, 1, MPI_LONG_DOUBLE);
  CHECK(number == 1 / 3.0L);
}

struct Record {
  int number;
  long amount;
  char letter;
};

static MPI_Datatype record_in_memory(void) {
  const int lengths[] = {1, 1, 1};
  const MPI_Aint at[] = {offsetof(struct Record, number), offsetof(struct Record, amount), offsetof(struct Record, letter)};
  const MPI_Datatype types[] = {MPI_INT, MPI_LONG, MPI_CHAR};
  MPI_Datatype type, whole;
  MPI_Type_create_struct(3, lengths, at, types, &type);
  MPI_Type_create_resized(type, 0, sizeof(struct Record), &whole);
  MPI_Type_commit(&whole);
  MPI_Type_free(&type);
  return whole;
}

static void derived(void) {
  MPI_Datatype record = record_in_memory(), vector;
  struct Record in[2] = {{1, -2, 'a'}, {3, 4, 'b'}}, out[2];
  unsigned char packed[32];
  static const unsigned char expected[] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 'a', 0, 0, 0, 3, 0, 0, 0, 4, 'b'};
  MPI_Aint position = 0, bytes;
  MPI_Pack_external_size("external32", 2, record, &bytes);
  MPI_Pack_external("external32", in, 2, record, packed, sizeof packed, &position);
  CHECK(bytes == 18 && position == 18 && memcmp(packed, expected, 18) == 0);
  position = 0;
  MPI_Unpack_external("external32", packed, 18, &position, out, 2, record);
  CHECK(out[0].number == 1 && out[0].amount == -2 && out[0].letter == 'a' && out[1].amount == 4 && out[1].letter == 'b');
  MPI_Type_free(&record);

  long numbers[6] = {1, 2, 3, 4, 5, 6}, back[6] = {0};
  MPI_Type_vector(3, 1, 2, MPI_LONG, &vector);
  MPI_Type_commit(&vector);
  position = 0;
  MPI_Pack_external("external32", numbers, 1, vector, packed, sizeof packed, &position);
  CHECK(position == 12 && packed[3] == 1 && packed[7] == 3 && packed[11] == 5);
  position = 0;
  MPI_Unpack_external("external32", packed, 12, &position, back, 1, vector);
  CHECK(back[0] == 1 && back[1] == 0 && back[2] == 3 && back[4] == 5);
  MPI_Type_free(&vector);
}

/* Opens a file next to the program, since programs of several tests run at once. */
static MPI_File opened(char* name) {
  MPI_File file;
  snprintf(name, NAME, "%s.file", program);
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file))
    ++wrong, MPI_Abort(MPI_COMM_WORLD, 1);
  return file;
}

/* Returns the big-endian number of 4 bytes at an offset of the file. */
static long raw(MPI_File file, MPI_Offset at) {
  unsigned char bytes[4] = {0};
  MPI_File_read_at(file, at, bytes, 4, MPI_BYTE, MPI_STATUS_IGNORE);
  return (long)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static int counted(MPI_Status* status, MPI_Datatype type) {
  int count;
  MPI_Get_count(status, type, &count);
  return count;
}

enum { EACH = 6 };
static long expected_number(int rank, int i) { return 1000 * (rank + 1) + i; }

static void check_numbers(int line, const long* numbers, int count, MPI_Status* status, int rank, int first) {
  if (counted(status, MPI_LONG) != count) ++wrong, fprintf(stderr, "line %d: %d numbers\n", line, counted(status, MPI_LONG));
  for (int i = 0; i < count; ++i)
    if (numbers[i] != expected_number(rank, first + i)) {
      ++wrong, fprintf(stderr, "line %d: number %d is %ld\n", line, i, numbers[i]);
      return;
    }
}
#define NUMBERS(count, rank, first) check_numbers(__LINE__, numbers, count, &status, rank, first)

/* Each rank has two numbers of every 2 * size. */
static void views(void) {
  char name[NAME], representation[MPI_MAX_DATAREP_STRING] = "";
  MPI_File file = opened(name);
  MPI_Aint extent;
  MPI_Status status;
  MPI_Request request;
  MPI_Offset offset;
  MPI_Datatype mine, etype, filetype;
  long numbers[2 * EACH] = {0};
  MPI_File_get_type_extent(file, MPI_LONG, &extent);
  CHECK(extent == 8);
  const int all[] = {2 * size}, own[] = {2}, start[] = {2 * me};
  MPI_Type_create_subarray(1, all, own, start, MPI_ORDER_C, MPI_LONG, &mine);
  MPI_Type_commit(&mine);
  CHECK(MPI_File_set_view(file, 4, MPI_LONG, mine, "external32", MPI_INFO_NULL) == MPI_SUCCESS);
  MPI_File_get_view(file, &offset, &etype, &filetype, representation);
  CHECK(offset == 4 && etype == MPI_LONG && strcmp(representation, "external32") == 0);
  MPI_Type_free(&filetype);

  /* Extents are those of the file. Displacements in bytes are not scaled. */
  MPI_Datatype vector, hvector, resized, record = record_in_memory();
  MPI_Type_vector(3, 1, 2, MPI_LONG, &vector);
  MPI_Type_create_hvector(3, 1, 10, MPI_LONG, &hvector);
  MPI_Type_create_resized(MPI_LONG, 0, 40, &resized);
  const struct {
    MPI_Datatype type;
    long extent;
  } extents[] = {{MPI_LONG, 4},   {MPI_LONG_DOUBLE, 16},  {MPI_WCHAR, 2}, {MPI_DOUBLE_INT, 12}, {vector, 20},
                 {hvector, 24},   {resized, 40},          {mine, 8L * size}, {record, (long)sizeof(struct Record)}};
  for (size_t i = 0; i < sizeof extents / sizeof extents[0]; ++i) {
    MPI_File_get_type_extent(file, extents[i].type, &extent);
    if (extent != extents[i].extent) ++wrong, fprintf(stderr, "extent %d is %ld\n", (int)i, (long)extent);
  }
  MPI_Type_free(&vector), MPI_Type_free(&hvector), MPI_Type_free(&resized), MPI_Type_free(&record);

  /* Writes: collective by the rank's own pointer, from every second number in memory; at an offset; by the shared pointer. */
  for (int i = 0; i < EACH; ++i) numbers[2 * i] = expected_number(me, i);
  MPI_Datatype second;
  MPI_Type_vector(2, 1, 2, MPI_LONG, &second);
  MPI_Type_commit(&second);
  MPI_File_write_all(file, numbers, 1, second, &status);
  CHECK(counted(&status, second) == 1 && counted(&status, MPI_LONG) == 2);
  MPI_File_get_position(file, &offset);
  CHECK(offset == 2);
  long packed[EACH];
  for (int i = 0; i < EACH; ++i) packed[i] = expected_number(me, i);
  MPI_File_write_at_all_begin(file, 2, packed + 2, 2, MPI_LONG);
  MPI_File_write_at_all_end(file, packed + 2, &status);
  CHECK(counted(&status, MPI_LONG) == 2);
  MPI_File_seek(file, 4, MPI_SEEK_SET);
  MPI_File_iwrite(file, packed + 4, 2, MPI_LONG, &request);
  MPI_Wait(&request, &status);
  CHECK(counted(&status, MPI_LONG) == 2);
  MPI_File_get_byte_offset(file, 5, &offset);
  CHECK(offset == 4 + 4 * (2 * size * 2 + 2 * me + 1));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file, &offset);
  CHECK(offset == 4 + 4 * EACH * size);
  MPI_File_seek(file, 0, MPI_SEEK_END);
  MPI_File_get_position(file, &offset);
  CHECK(offset == EACH);

  /* Reads. */
  memset(numbers, 0, sizeof numbers);
  MPI_File_read_at(file, 1, numbers, 4, MPI_LONG, &status), NUMBERS(4, me, 1);
  MPI_File_iread_at_all(file, 2, numbers, 3, MPI_LONG, &request);
  MPI_Wait(&request, &status), NUMBERS(3, me, 2);
  MPI_File_seek(file, 1, MPI_SEEK_SET);
  MPI_File_read_all(file, numbers, 2, MPI_LONG, &status), NUMBERS(2, me, 1);
  MPI_File_read(file, numbers, 10, MPI_LONG, &status), NUMBERS(3, me, 3); /* the end of the file */
  MPI_File_get_position(file, &offset);
  CHECK(offset == EACH);
  MPI_File_read_at_all_begin(file, 0, numbers, EACH, MPI_LONG);
  MPI_File_read_at_all_end(file, numbers, &status), NUMBERS(EACH, me, 0);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  for (int i = 0; i < EACH; ++i)
    for (int r = 0; r < size; ++r) CHECK(raw(file, 4 + 4 * (2 * size * (i / 2) + 2 * r + i % 2)) == expected_number(r, i));

  /* The shared pointer, in etypes of 4 bytes. */
  MPI_File_set_view(file, 4 + 4 * EACH * size, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL);
  MPI_File_write_ordered(file, packed, 3, MPI_LONG, &status);
  CHECK(counted(&status, MPI_LONG) == 3);
  MPI_File_get_position_shared(file, &offset);
  CHECK(offset == 3 * size);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, numbers, 3, MPI_LONG, &status), NUMBERS(3, me, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) MPI_File_write_shared(file, packed, 1, MPI_LONG, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(file, 3 * size, numbers, 1, MPI_LONG, &status), NUMBERS(1, 0, 0);
  MPI_File_seek_shared(file, 3 * size, MPI_SEEK_SET);
  if (me == size - 1) MPI_File_read_shared(file, numbers, 1, MPI_LONG, &status), NUMBERS(1, 0, 0);
  MPI_Type_free(&second), MPI_Type_free(&mine);
  MPI_File_close(&file);
}

/* Records of several types: the etype has the displacements of the file, the buffer those of memory. */
static void records(void) {
  char name[NAME];
  MPI_File file = opened(name);
  const int lengths[] = {1, 1, 1};
  const MPI_Aint at[] = {0, 4, 8};
  const MPI_Datatype types[] = {MPI_INT, MPI_LONG, MPI_CHAR};
  MPI_Datatype in_file, in_memory = record_in_memory();
  MPI_Aint extent;
  MPI_Status status;
  MPI_Type_create_struct(3, lengths, at, types, &in_file);
  MPI_Type_commit(&in_file);
  MPI_File_set_view(file, 0, in_file, in_file, "external32", MPI_INFO_NULL);
  MPI_File_get_type_extent(file, in_file, &extent);
  CHECK(extent == 9);
  struct Record in[2] = {{me, -me, 'a' + me}, {me + 100, -me - 100, 'A' + me}}, out[2] = {{0}};
  MPI_File_write_at_all(file, 2 * me, in, 2, in_memory, &status);
  CHECK(counted(&status, in_memory) == 2);
  const int next = (me + 1) % size;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(file, 2 * next, out, 2, in_memory, &status);
  CHECK(counted(&status, in_memory) == 2 && out[0].number == next && out[0].amount == -next && out[0].letter == 'a' + next &&
        out[1].amount == -next - 100);
  MPI_Offset bytes;
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 18 * size);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  CHECK(raw(file, 18 * me) == me && raw(file, 18 * me + 4) == (-me & 0xffffffffL));

  /* "internal" is a representation, too; others are not. */
  CHECK(MPI_File_set_view(file, 0, MPI_LONG, MPI_LONG, "internal", MPI_INFO_NULL) == MPI_SUCCESS);
  long number = 5000000000L + me, back = 0;
  MPI_File_write_at_all(file, me, &number, 1, MPI_LONG, &status);
  MPI_File_read_at_all(file, me, &back, 1, MPI_LONG, &status);
  CHECK(back == number);
  int class = 0;
  MPI_Error_class(MPI_File_set_view(file, 0, MPI_LONG, MPI_LONG, "external33", MPI_INFO_NULL), &class);
  CHECK(class == MPI_ERR_UNSUPPORTED_DATAREP);
  MPI_Type_free(&in_file), MPI_Type_free(&in_memory);
  MPI_File_close(&file);
}

/* A representation of the program: decimal digits, 8 of an MPI_INT and 12 of an MPI_LONG. */
static int digits_of(MPI_Datatype type, MPI_Aint* digits, void* extra) {
  ++*(int*)extra;
  *digits = type == MPI_INT ? 8 : 12;
  return type == MPI_INT || type == MPI_LONG ? MPI_SUCCESS : MPI_ERR_TYPE;
}
static int to_digits(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* extra) {
  char text[16];
  ++*(int*)extra;
  for (int i = 0; i < count; ++i)
    if (type == MPI_INT) {
      snprintf(text, sizeof text, "%8d", ((int*)user)[position + i]), memcpy((char*)file + 8 * i, text, 8);
    } else {
      snprintf(text, sizeof text, "%12ld", ((long*)user)[position + i]), memcpy((char*)file + 12 * i, text, 12);
    }
  return MPI_SUCCESS;
}
static int from_digits(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* extra) {
  char text[16] = "";
  ++*(int*)extra;
  for (int i = 0; i < count; ++i)
    if (type == MPI_INT) {
      memcpy(text, (char*)file + 8 * i, 8), ((int*)user)[position + i] = atoi(text);
    } else {
      memcpy(text, (char*)file + 12 * i, 12), ((long*)user)[position + i] = atol(text);
    }
  return MPI_SUCCESS;
}
static int fail_to_convert(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* extra) {
  return user == file || type == MPI_DATATYPE_NULL || count + position < 0 || extra == 0 ? MPI_SUCCESS : MPI_ERR_IO;
}

static int class_of(int code) {
  int class = 0;
  MPI_Error_class(code, &class);
  return class;
}

static void own(void) {
  char name[NAME];
  int calls = 0, numbers[4] = {10 * me, 10 * me + 1, 10 * me + 2, -me}, back[8] = {0};
  CHECK(MPI_Register_datarep("digits", from_digits, to_digits, digits_of, &calls) == MPI_SUCCESS);
  CHECK(MPI_Register_datarep("failing", from_digits, fail_to_convert, digits_of, &calls) == MPI_SUCCESS);
  CHECK(MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, digits_of, &calls) == MPI_SUCCESS);
  CHECK(class_of(MPI_Register_datarep("digits", from_digits, to_digits, digits_of, &calls)) == MPI_ERR_DUP_DATAREP);
  CHECK(class_of(MPI_Register_datarep("external32", from_digits, to_digits, digits_of, &calls)) == MPI_ERR_DUP_DATAREP);
  CHECK(class_of(MPI_Register_datarep("other", from_digits, to_digits, 0, &calls)) == MPI_ERR_ARG);
  MPI_File file = opened(name);
  MPI_Status status;
  MPI_Datatype mine, vector;
  MPI_Aint extent;
  MPI_Offset bytes;
  const int all[] = {2 * size}, part[] = {2}, start[] = {2 * me};
  MPI_Type_create_subarray(1, all, part, start, MPI_ORDER_C, MPI_INT, &mine);
  MPI_Type_commit(&mine);
  MPI_Type_vector(3, 1, 2, MPI_LONG, &vector);
  CHECK(MPI_File_set_view(file, 0, MPI_INT, mine, "digits", MPI_INFO_NULL) == MPI_SUCCESS);
  MPI_File_get_type_extent(file, MPI_INT, &extent);
  CHECK(extent == 8);
  MPI_File_get_type_extent(file, vector, &extent);
  CHECK(extent == 60);
  MPI_File_write_all(file, numbers, 4, MPI_INT, &status);
  CHECK(counted(&status, MPI_INT) == 4);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 8 * 4 * size);
  MPI_File_read_at_all(file, 1, back, 8, MPI_INT, &status);
  CHECK(counted(&status, MPI_INT) == 3 && back[0] == 10 * me + 1 && back[1] == 10 * me + 2 && back[2] == -me);
  char text[9] = "", expected[16];
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "plain", MPI_INFO_NULL);
  MPI_File_read_at(file, 8 * (2 * size + 2 * me), text, 8, MPI_BYTE, &status);
  snprintf(expected, sizeof expected, "%8d", 10 * me + 2);
  CHECK(strcmp(text, expected) == 0);
  CHECK(calls > 0);
  CHECK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "failing", MPI_INFO_NULL) == MPI_SUCCESS);
  CHECK(class_of(MPI_File_write_at(file, me, numbers, 1, MPI_INT, &status)) == MPI_ERR_CONVERSION);
  CHECK(class_of(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "digits", MPI_INFO_NULL)) == MPI_ERR_CONVERSION);
  MPI_Type_free(&mine), MPI_Type_free(&vector);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  program = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sizes();
  values();
  derived();
  views();
  records();
  own();
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d\n", all);
  MPI_Finalize();
  return 0;
}
