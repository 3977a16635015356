/* SPDX-License-Identifier: Apache-2.0
 * Units of Fortran, per rank. libgfortran is one for all ranks of the host process, so each rank's units get
 * numbers of their own there, but for the standard ones (0, 5, 6), as long as nobody opens or closes them.
 * psim-f90 links programs with
 * --wrap for these functions: units.options. Every parameter block of libgfortran begins with flags and the
 * unit; NEWUNIT gives negative numbers, which are unlike all others already.
 *
 * libgfortran holds a unit from the beginning to the end of a statement. If a function among its items calls
 * MPI, other ranks run meanwhile: one that finds 0 or 6 held gets a unit of its own for it, which psim takes
 * for standard output or error, too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi.h"
#include "mpi/fortran/connections.h"
#include "mpi/fortran/units.h"

/* libgfortran's parameter blocks, as far as they are read here; 8 to 12 have the same. */
struct common {
  int flags, unit;
  const char* source;
  int line;
  size_t iomsg_length;
  char* iomsg;
  int* iostat;
};
struct open {
  struct common common;
  int recl;
  size_t file_length;
  const char *file, *status;
  size_t status_length, access_length;
  const char *access, *form;
  size_t form_length;
  char others[1024];
};
struct inquire {
  struct common common;
  int *exist, *opened, *number, *named, *nextrec, *recl;
  int64_t* position_of_stream;
  const char* file;
  size_t file_length, access_length;
  char *access, *form;
  size_t form_length, blank_length;
  char *blank, *position;
  size_t position_length, action_length;
  char *action, *delim;
  size_t delim_length, pad_length;
  char *pad, *name;
  size_t name_length;
};
enum { kHasIostat = 1 << 5 };
enum { kOpenFile = 1 << 8, kOpenStatus = 1 << 9, kOpenForm = 1 << 11, kOpenNewunit = 1 << 23 };
enum { kInquireNumber = 1 << 9, kInquireFile = 1 << 14, kInquireName = 1 << 22 };
enum { kTransferFormatted = 1 << 7 | 1 << 12 | 1 << 15 }; /* list, format, namelist */

/* Of a rank's numbers the last stand for 0, 5 and 6, once they are its own, those before for its large units. */
enum { kUnitsOfRank = 16384, kMostRanks = 131072, kStandard = 7, kMostLarge = 256 };
enum { kFirstLarge = kUnitsOfRank - kStandard - kMostLarge };

static int own[kStandard]; /* numbers that stand for 0, 5 and 6, once they are the rank's own; else 0 */
static int large[kMostLarge], large_count; /* units from kFirstLarge on that the rank has named */

int __real__gfortran_fnum_i4(const int* unit);
void __real__gfortran_flush_i4(const int* unit);
void __real__gfortran_st_open(void* block);

static int is_standard(int unit) { return unit == 0 || unit == 5 || unit == 6; }
static int is_shared(int unit) { return is_standard(unit) && !own[unit]; }

static int has_own_numbers(void) { return psim_rank() < kMostRanks; }
static int first_number(void) { return psim_rank() * kUnitsOfRank; }
static int own_number(int unit) { return first_number() + kUnitsOfRank - kStandard + unit; }

static int place_of_large(int unit) {
  for (int place = 0; place < large_count; ++place)
    if (large[place] == unit) return place;
  if (large_count == kMostLarge) {
    fprintf(stderr, "psim: rank %d has named more than %d units from %d on\n", psim_rank(), kMostLarge, kFirstLarge);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  large[large_count] = unit;
  return large_count++;
}

static int own_unit(int unit) {
  if (is_standard(unit) && own[unit]) return own[unit];
  if (unit < 0 || is_standard(unit) || !has_own_numbers()) return unit;
  return first_number() + (unit < kFirstLarge ? unit : kFirstLarge + place_of_large(unit));
}

/* What the program calls a unit of libgfortran's. */
static int programs_unit(int number) {
  for (int unit = 0; unit < kStandard; ++unit)
    if (number > 0 && own[unit] == number) return unit;
  const int unit = number - first_number();
  if (!has_own_numbers() || unit < 0 || unit >= kUnitsOfRank) return number;
  return unit >= kFirstLarge && unit - kFirstLarge < large_count ? large[unit - kFirstLarge] : unit;
}

/* After an OPEN or CLOSE of a unit of libgfortran's, whether it succeeded or not. */
static void note(int unit) {
  struct stat file;
  const int descriptor = __real__gfortran_fnum_i4(&unit);
  if (descriptor < 0 || fstat(descriptor, &file) != 0)
    psim_disconnected(unit);
  else
    psim_connected(unit, file.st_dev, file.st_ino);
}

static void open_file(int unit, const char* file, int formatted) {
  int status = 0;
  struct open block;
  memset(&block, 0, sizeof block);
  block.common = (struct common){
      .flags = kHasIostat | kOpenFile | kOpenForm, .unit = unit, .source = "", .iostat = &status};
  block.file = file;
  block.file_length = strlen(file);
  block.form = formatted ? "formatted" : "unformatted";
  block.form_length = strlen(block.form);
  __real__gfortran_st_open(&block);
  note(unit);
}

static void open_own(int unit) {
  const int number = own_number(unit);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  open_file(number, "/dev/null", 1);
  if (!psim_is_connected(number)) {
    fprintf(stderr,
            "psim: no descriptor is left for what rank %d prints while others are in the middle of a print\n",
            psim_rank());
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (psim_output_descriptor) psim_output_descriptor(__real__gfortran_fnum_i4(&number), unit == 0 ? 2 : 1);
  own[unit] = number;
}

/* There is one standard input, so there is no way around who is in the middle of reading it. */
static void end_job_of_readers(void) {
  fprintf(stderr,
          "psim: rank %d reads standard input while another rank is in the middle of a read that calls MPI\n",
          psim_rank());
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

static void leave_to_others(int unit) {
  if (unit == 5)
    end_job_of_readers();
  else
    open_own(unit);
}

/* The unit of a call that holds it no longer than it runs. */
static int unit_of_call(int unit) {
  if (is_shared(unit) && !psim_unit_free(unit)) leave_to_others(unit);
  return own_unit(unit);
}

/* What is printed is seen at once. */
static void end_of_output(int unit) {
  if (unit > 0 && (unit == own[0] || unit == own[6])) __real__gfortran_flush_i4(&unit);
}

/* The next file with this descriptor is not the rank's output. */
static void end_of_connection(int unit) {
  if (unit <= 0 || (unit != own[0] && unit != own[6])) return;
  const int descriptor = __real__gfortran_fnum_i4(&unit);
  if (descriptor >= 0 && psim_output_descriptor) psim_output_descriptor(descriptor, 0);
}

static void name_file(char name[16], int unit) { snprintf(name, 16, "fort.%d", unit); }

/* A unit that is used without OPEN: libgfortran would call the file after its own number. */
static void open_by_number(int unit, int programs, int formatted) {
  char name[16];
  if (unit < 0 || is_standard(unit) || psim_is_connected(unit)) return;
  note(unit);
  if (psim_is_connected(unit)) return;
  name_file(name, programs);
  open_file(unit, name, formatted);
}

/* Statements without items. */
#define STATEMENT(name)                          \
  void __real__gfortran_st_##name(void* block);  \
  void __wrap__gfortran_st_##name(void* block) { \
    struct common* common = block;               \
    common->unit = unit_of_call(common->unit);   \
    __real__gfortran_st_##name(block);           \
  }
STATEMENT(rewind)
STATEMENT(backspace)
STATEMENT(wait)
STATEMENT(wait_async)

void __real__gfortran_st_endfile(void* block);
void __wrap__gfortran_st_endfile(void* block) {
  struct common* common = block;
  const int programs = common->unit;
  common->unit = unit_of_call(programs);
  open_by_number(common->unit, programs, 1);
  __real__gfortran_st_endfile(block);
}

void __real__gfortran_st_flush(void* block);
void __wrap__gfortran_st_flush(void* block) {
  struct common* common = block;
  common->unit = own_unit(common->unit);
  if (!is_standard(common->unit) || psim_unit_free(common->unit)) __real__gfortran_st_flush(block);
}

static int is_scratch(const struct open* open) {
  return (open->common.flags & kOpenStatus) && open->status_length >= 7 &&
         strncasecmp(open->status, "scratch", 7) == 0;
}

/* A standard unit that is opened with a name is another file from then on; without, it gets other modes. */
void __wrap__gfortran_st_open(void* block) {
  struct open* open = block;
  struct common* common = block;
  char name[16];
  if (!(common->flags & kOpenNewunit)) {
    const int programs = common->unit;
    if (is_shared(programs) && (common->flags & kOpenFile)) own[programs] = own_number(programs);
    common->unit = unit_of_call(programs);
    if (common->flags & kOpenFile) {
      end_of_connection(common->unit);
    } else if (common->unit >= 0 && !is_standard(common->unit) && !psim_is_connected(common->unit) &&
               !is_scratch(open)) {
      name_file(name, programs);
      open->file = name;
      open->file_length = strlen(name);
      common->flags |= kOpenFile;
    }
  }
  __real__gfortran_st_open(block);
  note(common->unit);
}

/* A standard unit that is closed is closed for this rank. */
void __real__gfortran_st_close(void* block);
void __wrap__gfortran_st_close(void* block) {
  struct common* common = block;
  if (is_shared(common->unit)) own[common->unit] = own_number(common->unit);
  common->unit = own_unit(common->unit);
  end_of_connection(common->unit);
  __real__gfortran_st_close(block);
  note(common->unit);
}

/* A file like `file` that nobody has connected, for what INQUIRE says of those. Its descriptor, or -1. */
static int stand_in(const char* path, const struct stat* file) {
  const int descriptor = memfd_create("psim", MFD_CLOEXEC);
  const mode_t mode = (access(path, R_OK) == 0 ? 0444 : 0) | (access(path, W_OK) == 0 ? 0222 : 0);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, file->st_size) == 0 && fchmod(descriptor, mode) == 0) return descriptor;
  close(descriptor);
  return -1;
}

void __real__gfortran_st_inquire(void* block);

/* Others may have it connected, which libgfortran would tell. */
static void inquire_unconnected(struct inquire* inquire, const char* path, const struct stat* file) {
  struct inquire asked = *inquire;
  char name[32];
  const int descriptor = stand_in(path, file);
  if (descriptor >= 0) {
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    inquire->file = name;
    inquire->file_length = strlen(name);
  }
  __real__gfortran_st_inquire(inquire);
  if (descriptor < 0) return;
  close(descriptor);
  inquire->file = asked.file;
  inquire->file_length = asked.file_length;
  if (!(asked.common.flags & kInquireName)) return;
  memset(asked.name, ' ', asked.name_length);
  memcpy(asked.name, asked.file,
         asked.name_length < asked.file_length ? asked.name_length : asked.file_length);
}

static void inquire_file(struct inquire* inquire) {
  char path[4096];
  struct stat file;
  size_t length = inquire->file_length;
  while (length > 0 && inquire->file[length - 1] == ' ') --length;
  if (length >= sizeof path) length = sizeof path - 1;
  memcpy(path, inquire->file, length);
  path[length] = 0;
  if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
    __real__gfortran_st_inquire(inquire);
  } else if (psim_unit_of_file(file.st_dev, file.st_ino, &inquire->common.unit)) {
    inquire->common.flags &= ~kInquireFile;
    __real__gfortran_st_inquire(inquire);
    inquire->common.flags |= kInquireFile;
  } else {
    inquire_unconnected(inquire, path, &file);
  }
}

void __wrap__gfortran_st_inquire(void* block) {
  struct inquire* inquire = block;
  if (inquire->common.flags & kInquireFile) {
    inquire_file(inquire);
  } else {
    inquire->common.unit = unit_of_call(inquire->common.unit);
    __real__gfortran_st_inquire(block);
  }
  if (inquire->common.flags & kInquireNumber) *inquire->number = programs_unit(*inquire->number);
}

/* Statements with items: a shared unit is held until they are done. */
static void begin_transfer(struct common* common) {
  const int programs = common->unit;
  if (is_shared(programs) && !psim_unit_enter(programs)) leave_to_others(programs);
  common->unit = own_unit(programs);
  open_by_number(common->unit, programs, (common->flags & kTransferFormatted) != 0);
}

#define TRANSFER(name)                                  \
  void __real__gfortran_st_##name(void* block);         \
  void __wrap__gfortran_st_##name(void* block) {        \
    begin_transfer(block);                              \
    __real__gfortran_st_##name(block);                  \
  }                                                     \
  void __real__gfortran_st_##name##_done(void* block);  \
  void __wrap__gfortran_st_##name##_done(void* block) { \
    const int unit = ((struct common*)block)->unit;     \
    __real__gfortran_st_##name##_done(block);           \
    if (is_standard(unit)) psim_unit_leave(unit);       \
    end_of_output(unit);                                \
  }
TRANSFER(write)
TRANSFER(read)

/* GNU procedures. All their arguments are pointers and lengths, and their results integers: the calling
 * convention lets one declaration stand for all. */
typedef void* any;
#define PROCEDURE(name, integer)                                                         \
  long __real__gfortran_##name(const integer* unit, any second, any third, any fourth);  \
  long __wrap__gfortran_##name(const integer* unit, any second, any third, any fourth) { \
    const integer number = unit_of_call((int)*unit);                                     \
    const long result = __real__gfortran_##name(&number, second, third, fourth);         \
    end_of_output((int)number);                                                          \
    return result;                                                                       \
  }
PROCEDURE(fgetc, int)
PROCEDURE(fgetc_i1_sub, int)
PROCEDURE(fgetc_i2_sub, int)
PROCEDURE(fgetc_i4_sub, int)
PROCEDURE(fgetc_i8_sub, int)
PROCEDURE(fputc, int)
PROCEDURE(fputc_i1_sub, int)
PROCEDURE(fputc_i2_sub, int)
PROCEDURE(fputc_i4_sub, int)
PROCEDURE(fputc_i8_sub, int)
PROCEDURE(fseek_sub, int)
PROCEDURE(fstat_i4, int)
PROCEDURE(fstat_i4_sub, int)
PROCEDURE(fstat_i8, int64_t)
PROCEDURE(fstat_i8_sub, int64_t)
PROCEDURE(ftell, int)
PROCEDURE(ftell_i1_sub, int)
PROCEDURE(ftell_i2_sub, int)
PROCEDURE(ftell_i4_sub, int)
PROCEDURE(ftell_i8_sub, int)
PROCEDURE(isatty_l4, int)
PROCEDURE(isatty_l8, int)
PROCEDURE(ttynam_sub, int)

/* Of units 5 and 6. */
#define STANDARD(name, of_unit, unit)                                 \
  long __wrap__gfortran_##name(any first, any second, any third) {    \
    static const int number = unit;                                   \
    return __wrap__gfortran_##of_unit(&number, first, second, third); \
  }
STANDARD(fget, fgetc, 5)
STANDARD(fget_i1_sub, fgetc_i1_sub, 5)
STANDARD(fget_i2_sub, fgetc_i2_sub, 5)
STANDARD(fget_i4_sub, fgetc_i4_sub, 5)
STANDARD(fget_i8_sub, fgetc_i8_sub, 5)
STANDARD(fput, fputc, 6)
STANDARD(fput_i1_sub, fputc_i1_sub, 6)
STANDARD(fput_i2_sub, fputc_i2_sub, 6)
STANDARD(fput_i4_sub, fputc_i4_sub, 6)
STANDARD(fput_i8_sub, fputc_i8_sub, 6)

int __wrap__gfortran_fnum_i4(const int* unit) {
  const int number = unit_of_call(*unit);
  return __real__gfortran_fnum_i4(&number);
}
int __wrap__gfortran_fnum_i8(const int64_t* unit) {
  const int number = unit_of_call((int)*unit);
  return __real__gfortran_fnum_i4(&number);
}

void __real__gfortran_ttynam(char** name, size_t* length, int unit);
void __wrap__gfortran_ttynam(char** name, size_t* length, int unit) {
  __real__gfortran_ttynam(name, length, unit_of_call(unit));
}

static void flush_unit(int unit) {
  const int number = own_unit(unit);
  if (!is_standard(number) || psim_unit_free(number)) __real__gfortran_flush_i4(&number);
}

/* Without a unit: those of the rank. libgfortran would wait for the units that other ranks hold. */
static void flush_all(void) {
  int unit;
  for (int place = 0; psim_connection(place, &unit); ++place) __real__gfortran_flush_i4(&unit);
  flush_unit(0);
  flush_unit(6);
}

void __wrap__gfortran_flush_i4(const int* unit) {
  if (unit == NULL)
    flush_all();
  else
    flush_unit(*unit);
}
void __wrap__gfortran_flush_i8(const int64_t* unit) {
  if (unit == NULL)
    flush_all();
  else
    flush_unit((int)*unit);
}

/* Standards before 2018 let a file be connected once, which libgfortran would demand of all ranks. */
void __real__gfortran_set_options(int count, int* options);
void __wrap__gfortran_set_options(int count, int* options) {
  enum { kAllowed = 1, kFortran2018 = 1 << 9, kMost = 32 };
  int copy[kMost];
  if (count <= kAllowed || count > kMost) {
    __real__gfortran_set_options(count, options);
    return;
  }
  memcpy(copy, options, (size_t)count * sizeof *options);
  copy[kAllowed] |= kFortran2018;
  __real__gfortran_set_options(count, copy);
}
