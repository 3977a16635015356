! SPDX-License-Identifier: Apache-2.0
! Skeletons in Fortran (docs/skeletons.md): module mpi, its procedures under the names LMPI_X, and the time of models.
! Messages have sizes but no contents, unless psim net --data states otherwise.
!
!     use lmpi
!     call BSIM_Add_model("zgemm", n, m)
!     call BSIM_Add_time(2.5d-6)
!     call LMPI_Allreduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
module lmpi
  use mpi
  use, intrinsic :: iso_c_binding, only : c_char, c_double, c_int, c_long_long, c_null_char
  implicit none
  public

  integer(c_int), bind(c, name="psim_skeleton") :: psim_skeleton = 1

  include 'lmpi_interfaces.inc'

contains

  ! Computes for the time of a region's model; up to four arguments.
  subroutine bsim_add_model(name, a, b, c, d)
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: a, b, c, d
    interface
      subroutine model_c(name, count, arguments) bind(c, name="psim_add_model_c")
        import :: c_char, c_int, c_long_long
        character(kind=c_char), intent(in) :: name(*)
        integer(c_int), value :: count
        integer(c_long_long), intent(in) :: arguments(4)
      end subroutine
    end interface
    integer(c_long_long) :: arguments(4)
    integer(c_int) :: given
    arguments = 0
    if (present(a)) arguments(1) = a
    if (present(b)) arguments(2) = b
    if (present(c)) arguments(3) = c
    if (present(d)) arguments(4) = d
    given = count([present(a), present(b), present(c), present(d)])
    call model_c(trim(name)//c_null_char, given, arguments)
  end subroutine

  ! Computes for `seconds` >= 0 of simulated time.
  subroutine bsim_add_time(seconds)
    real(c_double), intent(in) :: seconds
    interface
      subroutine time_c(seconds) bind(c, name="BSIM_Add_time")
        import :: c_double
        real(c_double), value :: seconds
      end subroutine
    end interface
    call time_c(seconds)
  end subroutine

end module lmpi
