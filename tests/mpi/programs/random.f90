! SPDX-License-Identifier: Apache-2.0
! Generators of random numbers: each rank has its own, independent of the draws of other ranks.
program random
  use mpi
  implicit none
  integer :: me, n, ierr, i, j, words
  integer, allocatable :: seed(:)
  double precision :: mine(3), first(3)
  real :: single
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, n, ierr)
  call random_number(single)
  print *, 'rank', me, single >= 0 .and. single < 1
  call random_seed(size=words)
  allocate(seed(words))
! With equal seeds all ranks draw the same.
  seed = 7
  call random_seed(put=seed)
  do i = 1, 20
    call random_number(mine)
    first = mine
    call mpi_bcast(first, 3, mpi_double_precision, mod(i, n), mpi_comm_world, ierr)
    if (any(first /= mine)) print *, 'rank', me, 'draws', mine, 'where another draws', first
  end do
  print '(a,i2,3f20.16)', 'alike', me, mine
! With separate seeds; one rank draws more than another between two waits.
  seed = [(me * 100 + i, i = 1, words)]
  call random_seed(put=seed)
  do i = 1, 5
    do j = 0, me
      call random_number(single)
    end do
    call mpi_barrier(mpi_comm_world, ierr)
  end do
  call random_seed(get=seed)
  print '(a,i2,f12.8,99i12)', 'own', me, single, seed
! The older functions.
  print '(a,i2,i12,f12.8)', 'unseeded', me, irand(), rand()
  call mpi_barrier(mpi_comm_world, ierr)
  call srand(me)
  do i = 1, 5
    call mpi_barrier(mpi_comm_world, ierr)
    print '(a,i2,i12,f12.8)', 'old', me, irand(), rand(0)
  end do
  print '(a,i2,2i12,2f12.8)', 'again', me, irand(1), irand(me - 3), rand(1), rand(77 + me)
  call mpi_barrier(mpi_comm_world, ierr)
  print '(a,i2,2i12)', 'after', me, irand(), irand(0)
  call mpi_finalize(ierr)
end program
