! A benchmark in Fortran: broadcasts, then allreduces in place.
program benchmark
    implicit none
    include 'mpif.h'
    integer :: rank, ranks, error, call, wrong, all
    double precision :: buffer(64)
    integer :: numbers(4)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    buffer = merge(1.5d0, 0d0, rank == 0)
    do call = 1, 12
        call MPI_Bcast(buffer, 64, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    end do
    numbers = 1
    do call = 1, 8
        call MPI_Allreduce(MPI_IN_PLACE, numbers, 4, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    end do
    wrong = count(buffer /= 1.5d0)
    call MPI_Reduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    wrong = all + count(numbers /= 1)
    if (rank == 0) print '(a, i0)', 'wrong: ', wrong
    call MPI_Finalize(error)
end program
