! SPDX-License-Identifier: Apache-2.0
! The library of the SCC board (scc.h): barriers on the sync-comm network, and the pseudo-global clock. Counts are unsigned in C.
!
!     use scc
!     ierror = scc_init()
!     ierror = scc_barrier()
module scc
  use, intrinsic :: iso_c_binding, only : c_int
  implicit none
  public

  interface
    integer(c_int) function scc_init() bind(c, name="SCC_Init")
      import :: c_int
    end function
    integer(c_int) function scc_finalize() bind(c, name="SCC_Finalize")
      import :: c_int
    end function
    integer(c_int) function scc_barrier() bind(c, name="SCC_Barrier")
      import :: c_int
    end function
    integer(c_int) function scc_fuzzy_barrier() bind(c, name="SCC_FuzzyBarrier")
      import :: c_int
    end function
    integer(c_int) function scc_fuzzy_wait() bind(c, name="SCC_FuzzyWait")
      import :: c_int
    end function
    integer(c_int) function scc_group(bits) bind(c, name="SCC_Group")
      import :: c_int
      integer(c_int), value :: bits
    end function
    integer(c_int) function scc_start_clock() bind(c, name="SCC_StartClock")
      import :: c_int
    end function
    integer(c_int) function scc_read_clock(count) bind(c, name="SCC_ReadClock")
      import :: c_int
      integer(c_int), intent(out) :: count
    end function
    integer(c_int) function scc_stamp() bind(c, name="SCC_Stamp")
      import :: c_int
    end function
    integer(c_int) function scc_read_stamps(counts, most, found) bind(c, name="SCC_ReadStamps")
      import :: c_int
      integer(c_int), intent(out) :: counts(*)
      integer(c_int), value :: most
      integer(c_int), intent(out) :: found
    end function
  end interface
end module
