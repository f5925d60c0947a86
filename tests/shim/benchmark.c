/* A benchmark that knows nothing of Parallax: broadcasts of three lengths, allreduces in place, barriers.
 *
 *   benchmark            three rows of broadcasts, one of allreduces, one of barriers
 *   benchmark freeing    the same, and buffers are freed as soon as they have been timed
 *   benchmark idle       too few calls for a row
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 12

static int wrong;

static void broadcasts(int count, int root, int freeing)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsigned char *buffer = malloc(count);
    for (int i = 0; i < count; i++) buffer[i] = rank == root ? (unsigned char)(i + count) : 0;
    double took = 0, slowest = 0;
    for (int call = 0; call < CALLS; call++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        MPI_Bcast(buffer, count, MPI_CHAR, root, MPI_COMM_WORLD);
        took += MPI_Wtime() - begin;
    }
    if (freeing) free(buffer);
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (freeing) return;
    for (int i = 0; i < count; i++) wrong += buffer[i] != (unsigned char)(i + count);
    free(buffer);
}

static void allreduces(void)
{
    int size, expected = 1;
    int numbers[16];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 16; i++) numbers[i] = i;
    for (int call = 0; call < 8; call++) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expected *= size;
    }
    for (int call = 0; call < CALLS; call++) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 16; i++) wrong += numbers[i] != i * expected;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int freeing = argc > 1 && !strcmp(argv[1], "freeing");
    if (argc > 1 && !strcmp(argv[1], "idle")) {
        int number = 0;
        for (int call = 0; call < 5; call++) MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        broadcasts(8, 0, freeing);
        broadcasts(1024, 1, freeing);
        broadcasts(65536, 0, freeing);
        allreduces();
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("wrong: %d\n", all);
    MPI_Finalize();
    return 0;
}
