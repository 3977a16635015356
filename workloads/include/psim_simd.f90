! SPDX-License-Identifier: Apache-2.0
! The SIMD extension of psim for Fortran (see psim_simd.h). Compile psim_simd_fortran.c with it.
!
!     use psim_simd
!     real(8), pointer :: x(:)
!     call psim_simd_get(0, memory, 512, 512, tag=0)      ! 512 bytes for each PE
!     call psim_simd_sync(1)                              ! waits for the tags in the mask
!     call c_f_pointer(psim_simd_data(0), x, [64])
!     call psim_simd_call(scale, a, x, n)                 ! an external or module procedure, arguments by reference
!     call psim_simd_put(0, memory, 512, 512, tag=0)
!
! Arguments of a procedure that psim_simd_call enters are scalars and arrays of explicit shape: those of assumed
! shape would come without their descriptor. Compile those that call psim_select_… with -mno-vis3, because gfortran
! otherwise moves arguments through integer registers.
module psim_simd
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: psim_simd_call, psim_simd_pes, psim_simd_mask, psim_simd_set_mask, psim_simd_data
  public :: psim_simd_get, psim_simd_put, psim_simd_get_tile, psim_simd_put_tile, psim_simd_sync, psim_transfer
  public :: psim_simd_sum, psim_simd_pe, psim_simd_partner, psim_fxmaddd, psim_fxcmaddd, psim_fxjmaddd
  public :: psim_select_gt, psim_select_ge, psim_select_lt, psim_select_le, psim_select_eq, psim_select_ne
  public :: psim_simd_div, psim_simd_sqrt

  !> struct psim_transfer of psim_simd.h.
  type, bind(c) :: psim_transfer
    type(c_ptr) :: memory
    integer(c_long) :: pe_stride = 0, row_stride = 0
    integer(c_int) :: sbm_offset = 0, sbm_pitch = 0, row_bytes = 0, rows = 1, pes = 0, tag = 0
  end type

  interface
    subroutine psim_simd_call(procedure, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)
      external :: procedure
!GCC$ ATTRIBUTES NO_ARG_CHECK :: a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      type(*), optional :: a1(*), a2(*), a3(*), a4(*), a5(*), a6(*), a7(*), a8(*), a9(*), a10(*), a11(*), a12(*)
    end subroutine
    integer(c_int) function psim_simd_pes() bind(c, name="psim_simd_pes_c")
      import :: c_int
    end function
    integer(c_int) function psim_simd_mask() bind(c, name="psim_simd_mask_c")
      import :: c_int
    end function
    subroutine psim_simd_set_mask(mask) bind(c, name="psim_simd_set_mask_c")
      import :: c_int
      integer(c_int), value :: mask
    end subroutine
    type(c_ptr) function data_c(offset) bind(c, name="psim_simd_data_c")
      import :: c_ptr, c_long
      integer(c_long), value :: offset
    end function
    subroutine get_c(offset, memory, bytes, stride, tag) bind(c, name="psim_simd_get_c")
      import :: c_int, c_long
      integer(c_int), value :: offset, bytes, tag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: memory
      type(*) :: memory(*)
      integer(c_long), value :: stride
    end subroutine
    subroutine put_c(offset, memory, bytes, stride, tag) bind(c, name="psim_simd_put_c")
      import :: c_int, c_long
      integer(c_int), value :: offset, bytes, tag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: memory
      type(*) :: memory(*)
      integer(c_long), value :: stride
    end subroutine
    subroutine psim_simd_get_tile(transfer) bind(c, name="psim_simd_get_tile_c")
      import :: psim_transfer
      type(psim_transfer), intent(in) :: transfer
    end subroutine
    subroutine psim_simd_put_tile(transfer) bind(c, name="psim_simd_put_tile_c")
      import :: psim_transfer
      type(psim_transfer), intent(in) :: transfer
    end subroutine
    subroutine psim_simd_sync(tags) bind(c, name="psim_simd_sync_c")
      import :: c_int
      integer(c_int), value :: tags
    end subroutine
    real(c_double) function psim_simd_pe() bind(c, name="psim_simd_pe_c")
      import :: c_double
    end function
  end interface

  abstract interface
    real(c_double) function of_one(x) bind(c)
      import :: c_double
      real(c_double), value :: x
    end function
    real(c_float) function of_one_s(x) bind(c)
      import :: c_float
      real(c_float), value :: x
    end function
    real(c_double) function of_two(x, y) bind(c)
      import :: c_double
      real(c_double), value :: x, y
    end function
    real(c_float) function of_two_s(x, y) bind(c)
      import :: c_float
      real(c_float), value :: x, y
    end function
    real(c_double) function multiply_add(a, b, c) bind(c)
      import :: c_double
      real(c_double), value :: a, b, c
    end function
    real(c_double) function select_of(x, y, a, b) bind(c)
      import :: c_double
      real(c_double), value :: x, y, a, b
    end function
    real(c_float) function select_of_s(x, y, a, b) bind(c)
      import :: c_float
      real(c_float), value :: x, y, a, b
    end function
  end interface
  procedure(of_one), bind(c, name="psim_simd_sum_c") :: psim_simd_sum
  procedure(of_one), bind(c, name="psim_simd_partner_c") :: psim_simd_partner
  procedure(multiply_add), bind(c, name="psim_fxmaddd_c") :: psim_fxmaddd
  procedure(multiply_add), bind(c, name="psim_fxcmaddd_c") :: psim_fxcmaddd
  procedure(multiply_add), bind(c, name="psim_fxjmaddd_c") :: psim_fxjmaddd

  !> psim_select_gt(x, y, a, b) is a where x > y and b elsewhere, decided by every PE for itself: what MERGE (a, b, x > y)
  !> makes a branch of. Real(8) and real(4).
  procedure(select_of), bind(c, name="psim_select_gt_c") :: select_gt
  procedure(select_of_s), bind(c, name="psim_select_gtf_c") :: select_gt_s
  procedure(select_of), bind(c, name="psim_select_ge_c") :: select_ge
  procedure(select_of_s), bind(c, name="psim_select_gef_c") :: select_ge_s
  procedure(select_of), bind(c, name="psim_select_lt_c") :: select_lt
  procedure(select_of_s), bind(c, name="psim_select_ltf_c") :: select_lt_s
  procedure(select_of), bind(c, name="psim_select_le_c") :: select_le
  procedure(select_of_s), bind(c, name="psim_select_lef_c") :: select_le_s
  procedure(select_of), bind(c, name="psim_select_eq_c") :: select_eq
  procedure(select_of_s), bind(c, name="psim_select_eqf_c") :: select_eq_s
  procedure(select_of), bind(c, name="psim_select_ne_c") :: select_ne
  procedure(select_of_s), bind(c, name="psim_select_nef_c") :: select_ne_s
  interface psim_select_gt
    procedure select_gt, select_gt_s
  end interface
  interface psim_select_ge
    procedure select_ge, select_ge_s
  end interface
  interface psim_select_lt
    procedure select_lt, select_lt_s
  end interface
  interface psim_select_le
    procedure select_le, select_le_s
  end interface
  interface psim_select_eq
    procedure select_eq, select_eq_s
  end interface
  interface psim_select_ne
    procedure select_ne, select_ne_s
  end interface

  !> x / y and the square root of x in SIMD procedures (psim_simd_math.h).
  procedure(of_two), bind(c, name="psim_simd_div_c") :: div
  procedure(of_two_s), bind(c, name="psim_simd_divf_c") :: div_s
  procedure(of_one), bind(c, name="psim_simd_sqrt_c") :: square_root
  procedure(of_one_s), bind(c, name="psim_simd_sqrtf_c") :: square_root_s
  interface psim_simd_div
    procedure div, div_s
  end interface
  interface psim_simd_sqrt
    procedure square_root, square_root_s
  end interface

contains

  !> Where a SIMD procedure sees the SBM of its PE from this byte on.
  type(c_ptr) function psim_simd_data(offset)
    integer, intent(in) :: offset
    psim_simd_data = data_c(int(offset, c_long))
  end function

  !> `bytes` of each PE, to or from SBM byte `offset`; `stride` bytes in memory from PE to PE.
  subroutine psim_simd_get(offset, memory, bytes, stride, tag)
    integer, intent(in) :: offset, bytes, stride, tag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: memory
    type(*) :: memory(*)
    call get_c(offset, memory, bytes, int(stride, c_long), tag)
  end subroutine
  subroutine psim_simd_put(offset, memory, bytes, stride, tag)
    integer, intent(in) :: offset, bytes, stride, tag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: memory
    type(*) :: memory(*)
    call put_c(offset, memory, bytes, int(stride, c_long), tag)
  end subroutine

end module
