# SPDX-License-Identifier: Apache-2.0
"""The checksums of workloads/openmp/polybench from the mathematical definitions, on the numbers that those sources choose."""
from fractions import Fraction

ALPHA, BETA = 1.5, 0.5


def vector(count, period):
    return [float(i % period - period // 2) for i in range(count)]


def matrix(n, period):
    return rows(vector(n * n, period), n)


def rows(x, n):
    return [x[i:i + n] for i in range(0, len(x), n)]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


def product(a, b):
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def applied(a, x):
    return [dot(row, x) for row in a]


def combined(*terms):
    """The sum of factor * matrix over (factor, matrix) in terms."""
    return [[sum(f * m[i][j] for f, m in terms) for j in range(len(row))] for i, row in enumerate(terms[0][1])]


def merged(n, lower, upper):
    """`lower` up to the diagonal, `upper` above it."""
    return [[lower[i][j] if j <= i else upper[i][j] for j in range(n)] for i in range(n)]


def checksum(x):
    values = [v for row in x for v in row] if isinstance(x[0], list) else x
    return sum(int(64 * v) * (i % 5 + 1) for i, v in enumerate(values))


def gemm(n):
    return checksum(combined((ALPHA, product(matrix(n, 11), matrix(n, 5))), (BETA, matrix(n, 13))))


def two_products(n):
    return checksum(combined((ALPHA, product(product(matrix(n, 11), matrix(n, 5)), matrix(n, 3))), (BETA, matrix(n, 13))))


def three_products(n):
    return checksum(product(product(matrix(n, 11), matrix(n, 5)), product(matrix(n, 3), matrix(n, 13))))


def atax(n):
    a = matrix(n, 11)
    return checksum(applied(transposed(a), applied(a, vector(n, 5))))


def bicg(n):
    a = matrix(n, 11)
    return checksum(applied(a, vector(n, 5))) + 3 * checksum(applied(transposed(a), vector(n, 3)))


def mvt(n):
    a = matrix(n, 11)
    x1 = [x + y for x, y in zip(vector(n, 13), applied(a, vector(n, 5)), strict=True)]
    x2 = [x + y for x, y in zip(vector(n, 7), applied(transposed(a), vector(n, 3)), strict=True)]
    return checksum(x1) + 3 * checksum(x2)


def gemver(n):
    u1, v1, u2, v2 = (vector(n, period) for period in (3, 5, 5, 3))
    a = [[x + u1[i] * v1[j] + u2[i] * v2[j] for j, x in enumerate(row)] for i, row in enumerate(matrix(n, 11))]
    x = [BETA * s + z for s, z in zip(applied(transposed(a), vector(n, 11)), vector(n, 13), strict=True)]
    return checksum([ALPHA * w for w in applied(a, x)]) + 3 * checksum(x)


def gesummv(n):
    x = vector(n, 13)
    return checksum(applied(combined((ALPHA, matrix(n, 11)), (BETA, matrix(n, 5))), x))


def doitgen(n):
    return checksum(product(rows(vector(n**3, 11), n), matrix(n, 5)))


def symm(n):
    a = matrix(n, 11)
    symmetric = merged(n, a, transposed(a))
    return checksum(combined((ALPHA, product(symmetric, matrix(n, 5))), (BETA, matrix(n, 13))))


def syrk(n):
    a, c = matrix(n, 11), matrix(n, 13)
    return checksum(merged(n, combined((ALPHA, product(a, transposed(a))), (BETA, c)), c))


def syr2k(n):
    a, b, c = matrix(n, 11), matrix(n, 5), matrix(n, 13)
    full = combined((ALPHA, product(a, transposed(b))), (ALPHA, product(b, transposed(a))), (BETA, c))
    return checksum(merged(n, full, c))


def trmm(n):
    a = matrix(n, 11)
    unit = [[a[i][j] if j < i else float(i == j) for j in range(n)] for i in range(n)]
    return checksum(combined((ALPHA, product(transposed(unit), matrix(n, 5)))))


def with_diagonal(n, period, diagonal):
    return [[diagonal(i) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(matrix(n, period))]


def cholesky(n):  # the factors are unique
    factor = with_diagonal(n, 3, lambda i: 1.0 + i % 3)
    lower = merged(n, factor, [[0.0] * n] * n)
    return checksum(merged(n, lower, product(lower, transposed(lower))))


def lu(n):
    upper = with_diagonal(n, 5, lambda i: 1.0 + i % 3)
    return checksum([[matrix(n, 3)[i][j] if j < i else upper[i][j] for j in range(n)] for i in range(n)])


def solution(n):
    return checksum(vector(n, 11))


def durbin(n):
    """Solves the Toeplitz system by elimination, in fractions."""
    r = [Fraction(1)] + [Fraction(1, i + 2) for i in range(n)]
    a = [[r[abs(i - j)] for j in range(n)] + [-r[i + 1]] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if i != k:
                factor = a[i][k] / a[k][k]
                a[i] = [x - factor * y for x, y in zip(a[i], a[k], strict=True)]
    return checksum([float(round(10**6 * a[i][n] / a[i][i])) for i in range(n)])


def gramschmidt(n):
    root = round(n**0.5)
    q = [[(-1.0)**(k & i).bit_count() / root for i in range(n)] for k in range(n)]
    r = [[0.0 if j < k else 1.0 + k % 3 if j == k else float((j + 2 * k) % 5 - 2) for j in range(n)] for k in range(n)]
    return checksum(q) + 3 * checksum(r)


CHECKSUMS = {"2mm": two_products, "3mm": three_products, "atax": atax, "bicg": bicg, "cholesky": cholesky, "doitgen": doitgen,
             "durbin": durbin, "gemm": gemm, "gemver": gemver, "gesummv": gesummv, "gramschmidt": gramschmidt, "lu": lu,
             "ludcmp": solution, "mvt": mvt, "symm": symm, "syr2k": syr2k, "syrk": syrk, "trisolv": solution, "trmm": trmm}
