#include <mpi.h>

void *const PARALLAX_IN_PLACE = MPI_IN_PLACE;
