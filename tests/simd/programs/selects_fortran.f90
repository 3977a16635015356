! SPDX-License-Identifier: Apache-2.0
! Selects, quotients and roots of the PEs in Fortran, on data that differ from PE to PE, NaN among them.
module choices
  use psim_simd
  implicit none
contains
  subroutine choose(n, x, y, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: r(8, n)
    integer :: i
    do i = 1, n
      r(1, i) = psim_select_gt(x(i), y(i), x(i) + 1, y(i) - 1)
      r(2, i) = psim_select_ge(x(i), y(i), x(i) + 1, y(i) - 1)
      r(3, i) = psim_select_lt(x(i), y(i), x(i) + 1, y(i) - 1)
      r(4, i) = psim_select_le(x(i), y(i), x(i) + 1, y(i) - 1)
      r(5, i) = psim_select_eq(x(i), y(i), 1d0, 2d0)
      r(6, i) = psim_select_ne(x(i), y(i), 1d0, 2d0)
      r(7, i) = psim_simd_div(x(i), y(i))
      r(8, i) = psim_simd_sqrt(x(i))
    end do
  end subroutine
  subroutine choose_single(n, x, y, r)
    integer, intent(in) :: n
    real(4), intent(in) :: x(n), y(n)
    real(4), intent(inout) :: r(8, n)
    integer :: i
    do i = 1, n
      r(1, i) = psim_select_gt(x(i), y(i), x(i) + 1, y(i) - 1)
      r(2, i) = psim_select_ge(x(i), y(i), x(i) + 1, y(i) - 1)
      r(3, i) = psim_select_lt(x(i), y(i), x(i) + 1, y(i) - 1)
      r(4, i) = psim_select_le(x(i), y(i), x(i) + 1, y(i) - 1)
      r(5, i) = psim_select_eq(x(i), y(i), 1e0, 2e0)
      r(6, i) = psim_select_ne(x(i), y(i), 1e0, 2e0)
      r(7, i) = psim_simd_div(x(i), y(i))
      r(8, i) = psim_simd_sqrt(x(i))
    end do
  end subroutine
end module

program main
  use choices
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, parameter :: n = 16, pes = 16
  real(8) :: x(n, pes), y(n, pes), r(8, n, pes), values(n), expected(8)
  real(4) :: xs(n, pes), ys(n, pes), rs(8, n, pes), expected_single(8)
  real(8), pointer :: px(:), py(:), pr(:)
  integer :: i, j, k, wrong

  values = [ieee_value(1d0, ieee_quiet_nan), -3d300, -10d0, -7d0, -1d0, -1d-300, -0d0, 0d0, 1d-300, 0.1d0, 1d0, 3d0, 7d0, &
            1d30, 3d300, ieee_value(1d0, ieee_positive_inf)]
  do k = 1, pes
    do i = 1, n
      x(i, k) = values(i)
      y(i, k) = values(k)
    end do
  end do
  xs = real(x, 4)
  ys = real(y, 4)
  call psim_simd_get(0, x, 128, 128, 0)
  call psim_simd_get(128, y, 128, 128, 0)
  call psim_simd_get(2048, xs, 64, 64, 0)
  call psim_simd_get(2112, ys, 64, 64, 0)
  call psim_simd_sync(1)
  call c_f_pointer(psim_simd_data(0), px, [n])
  call c_f_pointer(psim_simd_data(128), py, [n])
  call c_f_pointer(psim_simd_data(256), pr, [8 * n])
  call psim_simd_call(choose, n, px, py, pr)
  call psim_simd_put(256, r, 1024, 1024, 0)
  call c_f_pointer(psim_simd_data(2048), px, [n / 2])
  call c_f_pointer(psim_simd_data(2112), py, [n / 2])
  call c_f_pointer(psim_simd_data(4096), pr, [4 * n])
  call psim_simd_call(choose_single, n, px, py, pr)
  call psim_simd_put(4096, rs, 512, 512, 0)
  call psim_simd_sync(1)

  wrong = 0
  do k = 1, pes
    do i = 1, n
      associate (a => x(i, k), b => y(i, k))
        expected = [merge(a + 1, b - 1, a > b), merge(a + 1, b - 1, a >= b), merge(a + 1, b - 1, a < b), &
                    merge(a + 1, b - 1, a <= b), merge(1d0, 2d0, a == b), merge(1d0, 2d0, a /= b), a / b, sqrt(a)]
      end associate
      associate (a => xs(i, k), b => ys(i, k))
        expected_single = [merge(a + 1, b - 1, a > b), merge(a + 1, b - 1, a >= b), merge(a + 1, b - 1, a < b), &
                           merge(a + 1, b - 1, a <= b), merge(1e0, 2e0, a == b), merge(1e0, 2e0, a /= b), a / b, sqrt(a)]
      end associate
      do j = 1, 8
        if (r(j, i, k) /= expected(j) .and. .not. (ieee_is_nan(r(j, i, k)) .and. ieee_is_nan(expected(j)))) wrong = wrong + 1
        if (rs(j, i, k) /= expected_single(j) .and. &
            .not. (ieee_is_nan(rs(j, i, k)) .and. ieee_is_nan(expected_single(j)))) wrong = wrong + 1
      end do
    end do
  end do
  print '(i0, a)', wrong, ' wrong'
  if (wrong /= 0) stop 1
end program
