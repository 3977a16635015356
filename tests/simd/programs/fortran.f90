! SPDX-License-Identifier: Apache-2.0
! dgemm with a local 4 × 4 block, a 7-point stencil and complex products in Fortran, on the PEs.
module kernels
  use psim_simd
  implicit none
contains
  subroutine dgemm(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    real(8) :: block(4, 4)
    integer :: i, j, k, p, q
    do j = 1, n, 4
      do i = 1, n, 4
        block = 0
        do k = 1, n
          do q = 1, 4
            do p = 1, 4
              block(p, q) = block(p, q) + a(i + p - 1, k) * b(k, j + q - 1)
            end do
          end do
        end do
        c(i:i + 3, j:j + 3) = c(i:i + 3, j:j + 3) + block
      end do
    end do
  end subroutine

  subroutine stencil(u, v, n, c0, c1)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n, n, n), c0, c1
    real(8), intent(inout) :: v(n, n, n)
    integer :: x, y, z
    do z = 2, n - 1
      do y = 2, n - 1
        do x = 2, n - 1
          v(x, y, z) = c0 * u(x, y, z) + c1 * (u(x - 1, y, z) + u(x + 1, y, z) + u(x, y - 1, z) + u(x, y + 1, z) &
                                              + u(x, y, z - 1) + u(x, y, z + 1))
        end do
      end do
    end do
  end subroutine

  subroutine products(x, y, z, n, total)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n), y(n)
    complex(8), intent(inout) :: z(n)
    real(8), intent(out) :: total(1)
    integer :: i
    do i = 1, n
      z(i) = z(i) + x(i) * y(i)
    end do
    total(1) = psim_simd_sum(psim_simd_pe())
  end subroutine
end module

program main
  use kernels
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: n = 8, pes = 16, words = n * n
  real(8) :: a(n, n, pes), b(n, n, pes), c(n, n, pes), r(n, n, pes), u(n, n, n), v(n, n, n, pes)
  complex(8) :: x(words), y(words), z(words), w(words, pes)
  real(8), pointer :: pa(:), pb(:), pc(:)
  complex(8), pointer :: px(:), py(:), pz(:)
  integer :: i, j, k, wrong

  wrong = 0
  do k = 1, pes
    do j = 1, n
      do i = 1, n
        a(i, j, k) = mod(i * 3 + j + k, 7) - 3
        b(i, j, k) = mod(i + j * 5 - k, 9)
        c(i, j, k) = i - j * k
      end do
    end do
  end do
  call psim_simd_get(0, a, words * 8, words * 8, 0)
  call psim_simd_get(words * 8, b, words * 8, words * 8, 1)
  call psim_simd_get(words * 16, c, words * 8, words * 8, 2)
  call psim_simd_sync(7)
  call c_f_pointer(psim_simd_data(0), pa, [words])
  call c_f_pointer(psim_simd_data(words * 8), pb, [words])
  call c_f_pointer(psim_simd_data(words * 16), pc, [words])
  call psim_simd_call(dgemm, n, pa, pb, pc)
  call psim_simd_put(words * 16, r, words * 8, words * 8, 3)
  call psim_simd_sync(8)
  do k = 1, pes
    wrong = wrong + count(r(:, :, k) /= c(:, :, k) + matmul(a(:, :, k), b(:, :, k)))
  end do
  print '(a, i0, a)', 'dgemm: ', wrong, ' wrong'

  do k = 1, n
    do j = 1, n
      do i = 1, n
        u(i, j, k) = mod(i + j * 3 + k * 5, 11)
      end do
    end do
  end do
  v = 0
  call psim_simd_get(0, u, 4096, 0, 0)
  call psim_simd_sync(1)
  call c_f_pointer(psim_simd_data(0), pa, [512])
  call c_f_pointer(psim_simd_data(4096), pb, [512])
  call psim_simd_call(stencil, pa, pb, n, 0.5d0, 0.25d0)
  call psim_simd_put(4096, v, 4096, 4096, 0)
  call psim_simd_sync(1)
  do k = 1, pes
    wrong = wrong + count(v(2:7, 2:7, 2:7, k) /= 0.5d0 * u(2:7, 2:7, 2:7) + 0.25d0 * (u(1:6, 2:7, 2:7) + &
        u(3:8, 2:7, 2:7) + u(2:7, 1:6, 2:7) + u(2:7, 3:8, 2:7) + u(2:7, 2:7, 1:6) + u(2:7, 2:7, 3:8)))
  end do
  print '(a, i0, a)', 'stencil: ', wrong, ' wrong'

  do i = 1, words
    x(i) = cmplx(mod(i, 5), -i, 8)
    y(i) = cmplx(i, mod(i, 3), 8)
    z(i) = cmplx(1, i, 8)
  end do
  call psim_simd_get(0, x, words * 16, 0, 0)
  call psim_simd_get(words * 16, y, words * 16, 0, 0)
  call psim_simd_get(words * 32, z, words * 16, 0, 0)
  call psim_simd_sync(1)
  call c_f_pointer(psim_simd_data(0), px, [words])
  call c_f_pointer(psim_simd_data(words * 16), py, [words])
  call c_f_pointer(psim_simd_data(words * 32), pz, [words])
  call c_f_pointer(psim_simd_data(words * 48), pa, [1])
  call psim_simd_call(products, px, py, pz, words, pa)
  call psim_simd_put(words * 32, w, words * 16, words * 16, 0)
  call psim_simd_put(words * 48, r, 8, 8, 0)
  call psim_simd_sync(1)
  do k = 1, pes
    wrong = wrong + count(w(:, k) /= z + x * y)
  end do
  wrong = wrong + count(reshape(r, [16]) /= 120)
  print '(a, i0, a)', 'complex: ', wrong, ' wrong'
  if (wrong /= 0) stop 1
end program
