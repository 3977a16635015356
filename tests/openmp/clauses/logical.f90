! SPDX-License-Identifier: Apache-2.0
! Truth values that PEs load, store and combine.
program p
 integer, parameter :: n=1003
 logical :: a(n), b(n), r, s, t, u
 logical(1) :: c(n)
 integer :: i
 double precision :: x(n)
 do i=1,n
  a(i)=mod(i,3)/=0; b(i)=mod(i,7)>2; c(i)=mod(i,5)==1; x(i)=i
 end do
 r=.true.; s=.false.; t=.false.; u=.true.
 !$omp target teams distribute reduction(.and.:r) map(tofrom:r)
 do i=1,n
  r = r .and. (a(i) .or. b(i) .or. x(i)>0)
 end do
 !$omp target teams distribute parallel do reduction(.or.:s) map(tofrom:s)
 do i=1,n
  s = s .or. (a(i) .and. b(i) .and. i==1003)
 end do
 print *, r, s
 r=.true.; s=.false.
 !$omp target teams distribute reduction(.and.:r) map(tofrom:r)
 do i=1,n
  r = a(i) .and. r
 end do
 !$omp target teams distribute reduction(.or.:s) map(tofrom:s)
 do i=1,n
  s = a(i) .or. s
 end do
 !$omp target teams distribute parallel do reduction(.neqv.:t) map(tofrom:t)
 do i=1,n
  t = t .neqv. a(i)
 end do
 !$omp target teams distribute parallel do reduction(.eqv.:u) map(tofrom:u)
 do i=1,n
  u = u .eqv. b(i)
 end do
 print *, r, s, t, u
 !$omp target teams distribute parallel do
 do i=1,n
  a(i) = b(i) .and. x(i) > 200
 end do
 !$omp target teams distribute parallel do
 do i=1,n
  if (a(i)) x(i) = 2*x(i)
 end do
 !$omp target teams distribute parallel do
 do i=1,n
  c(i) = c(i) .or. a(i)
 end do
 print *, count(a), count(c), sum(x)
 do i = 0, 40
  call parities(i, n, a, b, c, x)
 end do
 call parities(n, n, a, b, c, x)
end program

subroutine parities(m, n, a, b, c, x)
 integer, intent(in) :: m, n
 logical, intent(in) :: a(n), b(n)
 logical(1), intent(in) :: c(n)
 double precision, intent(in) :: x(n)
 logical :: differ, equal, some, one
 logical(1) :: small
 integer :: j
 differ=.false.; equal=.true.; some=.true.; one=.false.; small=.true.
 !$omp target teams distribute parallel do reduction(.neqv.:differ) reduction(.eqv.:equal) map(tofrom:differ, equal)
 do j=1,m
  differ = a(j) .neqv. differ
  equal = equal .eqv. b(j)
 end do
 !$omp target teams distribute reduction(.eqv.:some, small) map(tofrom:some, small)
 do j=1,m
  small = c(j) .eqv. small
  some = some .eqv. (x(j) > 20)
 end do
 !$omp target teams distribute parallel do reduction(.neqv.:one) map(tofrom:one)
 do j=1,m  ! the scalar core
  if (x(j) > 9) one = one .neqv. b(j)
 end do
 print *, m, differ, equal, some, small, one
end subroutine
