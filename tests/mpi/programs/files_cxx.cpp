// SPDX-License-Identifier: Apache-2.0
// Handles of files in C++: programs initialize them with nullptr, compare them, and keep them in containers.
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

class Writer {
 public:
  void open(const char* name) {
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file_);
  }
  bool is_open() const { return file_ != nullptr && file_ != MPI_FILE_NULL; }
  MPI_File file() const { return file_; }
  void close() { MPI_File_close(&file_); }

 private:
  MPI_File file_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, back = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  std::vector<Writer> writers(2);
  writers[1].open("psim-files-cxx");
  std::printf("%d open %d %d\n", me, writers[0].is_open(), writers[1].is_open());
  const MPI_File file = writers[1].file();
  MPI_File_write_at(file, me * sizeof me, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, me * sizeof me, &back, 1, MPI_INT, MPI_STATUS_IGNORE);
  std::printf("%d read %d, same %d\n", me, back, MPI_File_f2c(MPI_File_c2f(file)) == file);
  writers[1].close();
  std::printf("%d closed %d %d\n", me, !writers[1].is_open(),
              MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
  MPI_Finalize();
}
