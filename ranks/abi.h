/* Read before mpi.h where ranks are compiled against the interface of MPI's standard (5.0, 2025): what the crate mpi-sys asks of every
 * mpi.h and that interface lacks, since it leaves the length of Fortran's integers open. Handles have numbers there, too. */
#define MPI_ABI
#include <mpi.h>

typedef int MPI_Fint;

#define MPI_Comm_c2f(handle) MPI_Comm_toint(handle)
#define MPI_Comm_f2c(number) MPI_Comm_fromint(number)
#define MPI_Errhandler_c2f(handle) MPI_Errhandler_toint(handle)
#define MPI_Errhandler_f2c(number) MPI_Errhandler_fromint(number)
#define MPI_File_c2f(handle) MPI_File_toint(handle)
#define MPI_File_f2c(number) MPI_File_fromint(number)
#define MPI_Group_c2f(handle) MPI_Group_toint(handle)
#define MPI_Group_f2c(number) MPI_Group_fromint(number)
#define MPI_Info_c2f(handle) MPI_Info_toint(handle)
#define MPI_Info_f2c(number) MPI_Info_fromint(number)
#define MPI_Message_c2f(handle) MPI_Message_toint(handle)
#define MPI_Message_f2c(number) MPI_Message_fromint(number)
#define MPI_Op_c2f(handle) MPI_Op_toint(handle)
#define MPI_Op_f2c(number) MPI_Op_fromint(number)
#define MPI_Request_c2f(handle) MPI_Request_toint(handle)
#define MPI_Request_f2c(number) MPI_Request_fromint(number)
#define MPI_Type_c2f(handle) MPI_Type_toint(handle)
#define MPI_Type_f2c(number) MPI_Type_fromint(number)
#define MPI_Win_c2f(handle) MPI_Win_toint(handle)
#define MPI_Win_f2c(number) MPI_Win_fromint(number)
