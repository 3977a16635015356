! SPDX-License-Identifier: Apache-2.0
! Region markers for Fortran (see psim.h). Compile psim_fortran.c with it; psim-f90 has both already.
!
!     use psim
!     call psim_region_begin("dgemm", n)
!     …
!     call psim_region_end("dgemm")
!
! A region whose body psim net --skeleton leaves out:
!
!     if (psim_region_runs("dgemm", n)) then
!       …
!       call psim_region_end("dgemm")
!     end if
!
! Floating-point operations and bytes of memory of the rank, for psim roofline (default or 8-byte integers):
!
!     call psim_work(2_8 * n**3, 32_8 * n**2)
module psim
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: psim_region_begin, psim_region_end, psim_region_runs, psim_work

  interface psim_work
    module procedure work_default, work_long
  end interface

  interface
    subroutine begin_c(name, count, arguments) bind(c, name="psim_region_begin_c")
      import :: c_char, c_int, c_long_long
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: count
      integer(c_long_long), intent(in) :: arguments(4)
    end subroutine
    function runs_c(name, count, arguments) bind(c, name="psim_region_runs_c") result(runs)
      import :: c_char, c_int, c_long_long
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: count
      integer(c_long_long), intent(in) :: arguments(4)
      integer(c_int) :: runs
    end function
    subroutine work_c(flops, memory_bytes) bind(c, name="psim_work_c")
      import :: c_long_long
      integer(c_long_long), value :: flops, memory_bytes
    end subroutine
    subroutine end_c(name) bind(c, name="psim_region_end_c")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

contains

  ! Up to four arguments, shown with the region.
  subroutine psim_region_begin(name, a, b, c, d)
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: a, b, c, d
    integer(c_long_long) :: arguments(4)
    integer(c_int) :: count
    call take(arguments, count, a, b, c, d)
    call begin_c(trim(name)//c_null_char, count, arguments)
  end subroutine

  ! Begins a region and returns whether its body is to be executed. If not, the region has ended.
  logical function psim_region_runs(name, a, b, c, d)
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: a, b, c, d
    integer(c_long_long) :: arguments(4)
    integer(c_int) :: count
    call take(arguments, count, a, b, c, d)
    psim_region_runs = runs_c(trim(name)//c_null_char, count, arguments) /= 0
  end function

  subroutine take(arguments, count, a, b, c, d)
    integer(c_long_long), intent(out) :: arguments(4)
    integer(c_int), intent(out) :: count
    integer, intent(in), optional :: a, b, c, d
    arguments = 0
    count = 0
    if (present(a)) then
      arguments(1) = a
      count = 1
    end if
    if (present(b)) then
      arguments(2) = b
      count = 2
    end if
    if (present(c)) then
      arguments(3) = c
      count = 3
    end if
    if (present(d)) then
      arguments(4) = d
      count = 4
    end if
  end subroutine

  subroutine psim_region_end(name)
    character(len=*), intent(in) :: name
    call end_c(trim(name)//c_null_char)
  end subroutine

  subroutine work_default(flops, memory_bytes)
    integer, intent(in) :: flops, memory_bytes
    call work_c(int(flops, c_long_long), int(memory_bytes, c_long_long))
  end subroutine

  subroutine work_long(flops, memory_bytes)
    integer(c_long_long), intent(in) :: flops, memory_bytes
    call work_c(flops, memory_bytes)
  end subroutine

end module
