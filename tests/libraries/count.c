// Loaded into the ranks of a message library (LD_PRELOAD): counts what each blocking collective call sends to each other rank, by what
// the kernel says of this process's TCP connections before and after (TCP_INFO), and writes a line for each call, and one for each
// connection when it is first seen (at):
//   CALL VALUE LOCAL>PEER=BYTES ...
// LOCAL and PEER are ports. VALUE is what the library's variable of this call's algorithm says, through MPI_T or in the environment; of
// MPI_Send it is how many elements are sent.
// MPI's profiling interface takes no part, and no library's header: arguments are handed over as they come.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 1024 };
static long long sent_before[MOST];
static int known[MOST][2];

// A file for each process that a launcher started as a rank: COUNT_FOLDER/RANK.PROCESS.
static FILE *file(void) {
    static FILE *file;
    const char *folder = getenv("COUNT_FOLDER"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    char path[4096];
    if (!rank) rank = getenv("PMI_RANK");
    if (!file && folder && rank) {
        snprintf(path, sizeof path, "%s/%s.%d", folder, rank, (int)getpid());
        file = fopen(path, "w");
    }
    return file;
}

// How many bytes have been handed to a connection; -1 where a descriptor is none.
static long long sent(int descriptor) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
    return (long long)info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
}

static int port(int descriptor, int (*of)(int, struct sockaddr *, socklen_t *)) {
    struct sockaddr_storage at = {0};
    socklen_t length = sizeof at;
    if (of(descriptor, (struct sockaddr *)&at, &length) != 0) return 0;
    if (at.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&at)->sin6_port);
    return ntohs(((struct sockaddr_in *)&at)->sin_port);
}

// What the library's variable of a call's algorithm says: Intel MPI's, Open MPI's, MPICH's; -1 where it has none.
static int value(const char *call) {
    static int (*index_of)(const char *, int *), (*handle_of)(int, void *, void *, int *), (*read_of)(void *, void *);
    char name[128], upper[64];
    const char *in_environment;
    for (int i = 0; (upper[i] = (char)toupper(call[i])); i++) {}
    snprintf(name, sizeof name, "I_MPI_ADJUST_%s", upper);
    if ((in_environment = getenv(name))) return atoi(in_environment);
    index_of = dlsym(RTLD_DEFAULT, "MPI_T_cvar_get_index");
    handle_of = dlsym(RTLD_DEFAULT, "MPI_T_cvar_handle_alloc");
    read_of = dlsym(RTLD_DEFAULT, "MPI_T_cvar_read");
    for (int form = 0; form < 2; form++) {
        int index, count, found[8] = {0};
        void *handle;
        if (form) snprintf(name, sizeof name, "MPIR_CVAR_%s_INTRA_ALGORITHM", upper);
        else snprintf(name, sizeof name, "coll_tuned_%s_algorithm", call);
        if (!index_of || index_of(name, &index) || handle_of(index, NULL, &handle, &count) || count != 1) continue;
        if (!read_of(handle, found)) return found[0];
    }
    return -1;
}

typedef int (*call)(long, long, long, long, long, long, long, long, long);

static int counted(const char *name, const char *short_name, long a, long b, long c, long d, long e, long f, long g, long h,
                   long i) {
    call real = (call)dlsym(RTLD_NEXT, name);
    static int depth;
    FILE *to = file();
    if (!to || depth) return real(a, b, c, d, e, f, g, h, i);
    depth++;
    int now = real == (call)dlsym(RTLD_NEXT, "MPI_Send") ? (int)b : value(short_name);
    for (int s = 0; s < MOST; s++) sent_before[s] = sent(s);
    int code = real(a, b, c, d, e, f, g, h, i);
    for (int s = 0; s < MOST; s++) {
        int mine = sent(s) < 0 ? 0 : port(s, getsockname), theirs = mine ? port(s, getpeername) : 0;
        if (!theirs || (mine == known[s][0] && theirs == known[s][1])) continue;
        fprintf(to, "at 0 %d>%d=0\n", known[s][0] = mine, known[s][1] = theirs);
    }
    fprintf(to, "%s %d", short_name, now);
    for (int s = 0; s < MOST; s++) {
        long long more = sent_before[s] < 0 ? 0 : sent(s) - sent_before[s];
        if (more > 0) fprintf(to, " %d>%d=%lld", port(s, getsockname), port(s, getpeername), more);
    }
    fprintf(to, "\n");
    fflush(to);
    depth--;
    return code;
}

#define COUNT(NAME, SHORT)                                                             \
    int NAME(long a, long b, long c, long d, long e, long f, long g, long h, long i) { \
        return counted(#NAME, SHORT, a, b, c, d, e, f, g, h, i);                       \
    }
COUNT(MPI_Barrier, "barrier")
COUNT(MPI_Bcast, "bcast")
COUNT(MPI_Gather, "gather")
COUNT(MPI_Gatherv, "gatherv")
COUNT(MPI_Scatter, "scatter")
COUNT(MPI_Scatterv, "scatterv")
COUNT(MPI_Allgather, "allgather")
COUNT(MPI_Allgatherv, "allgatherv")
COUNT(MPI_Alltoall, "alltoall")
COUNT(MPI_Alltoallv, "alltoallv")
COUNT(MPI_Alltoallw, "alltoallw")
COUNT(MPI_Reduce, "reduce")
COUNT(MPI_Allreduce, "allreduce")
COUNT(MPI_Reduce_scatter, "reduce_scatter")
COUNT(MPI_Reduce_scatter_block, "reduce_scatter_block")
COUNT(MPI_Scan, "scan")
COUNT(MPI_Exscan, "exscan")
COUNT(MPI_Send, "send")
