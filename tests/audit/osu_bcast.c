// A benchmark that prints what osu_bcast prints, for the lengths from -m LO:HI: calls behind barriers, mean over ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    long low = 1, high = 64;
    MPI_Init(&argc, &argv);
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-m") == 0) sscanf(argv[i + 1], "%ld:%ld", &low, &high);
    }
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *buffer = calloc(1, high);
    if (rank == 0) printf("# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n");
    for (long bytes = low; bytes <= high; bytes *= 2) {
        double time = 0, sum = 0;
        for (int i = 0; i < 60; i++) {
            double start = MPI_Wtime();
            MPI_Bcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
            if (i >= 10) time += MPI_Wtime() - start;
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Reduce(&time, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("%-10ld %18.2f\n", bytes, sum / ranks / 50 * 1e6);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
