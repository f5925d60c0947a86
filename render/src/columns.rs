//! The quantities of tables, each once: their names in files, their units and their meanings, as the data dictionary
//! (`docs/guide/data.md`) has them.

use crate::data::{Cell, Column, Kind, Known, Table};
use models::spread::Spread;
use programs::budget::SystematicError;
use scenario::axis::{Axis, Key};
use std::borrow::Cow;

macro_rules! quantities {
    ($(#[$doc:meta])* $all:ident: $($name:ident = $kind:ident($($text:literal),+);)+) => {
        $(
            #[doc = concat!("The quantity `", quantities!(@first $($text),+), "`.")]
            pub const $name: Known = Known::$kind($($text),+);
        )+

        $(#[$doc])*
        pub const $all: &[Known] = &[$($name),+];
    };
    (@first $first:literal $(, $other:literal)*) => { $first };
}

mod probes;

pub use probes::*;

quantities! {
    /// Quantities in files, all of which are in the data dictionary.
    ALL:

    RANKS = integer("ranks", "", "number of ranks", "16");
    LAUNCHES = integer("launches", "", "number of launches of a number", "8");
    CONFIDENCE = number("confidence", "", "confidence level of the intervals in the row; empty if there is none", "0.95");
    MEAN = interval("mean_us", "µs", "mean", "5.6");
    LEAST = number("least_us", "µs", "smallest", "5.1");
    MOST = number("most_us", "µs", "largest", "9.7");

    TIME = number("time_us", "µs", "a time; for a bar of a budget, a difference of times", "12.25");
    RATIO = interval("ratio", "", "number ÷ reference; in `compare` B ÷ A; in `guidelines` call ÷ other side", "0.75");
    ADJUSTED_P = number("adjusted_p", "", "p adjusted for all cases of the table (Holm)", "0.14");
    VERDICT = text("verdict", "result of the row, in the terms of the command", "agrees");
    KIND = text("kind", "kind of the row: `method`, `benchmark`, `window`, `start-skew`, `exit-skew`, `first-call`, `fixed-window`, `overlap`; for exported samples `cold`, `timed` or `subtracted`; for guidelines `mock-up`, `regular`, `monotone-in-bytes`, `split-robust`, `monotone-in-ranks`", "method");
    GUIDELINE = text("guideline", "the guideline that is checked", "reduce ≤ allreduce");
    AGAINST = text("against", "the other side of the guideline", "allreduce(8 B)");
    AGAINST_TIME = number("against_us", "µs", "median of the other side", "0.27");
    ADVICE = text("advice", "remedy", "");

    EFFECTIVE_LAUNCHES = number("effective_launches", "", "number of independent launches that would be as precise", "310.5");
    EFFICIENCY = number("efficiency", "", "time without noise ÷ mean time with noise", "0.994");
    LEAST_EFFICIENCY = number("least_efficiency", "", "efficiency of the longest launch", "0.802");
    LARGEST_EFFICIENCY = number("largest_efficiency", "", "efficiency of the shortest launch", "1");
    INDEPENDENT = number("independent", "", "efficiency of ranks that are independent of each other", "0.989");
    CLOSED_FORM = number("closed_form", "", "efficiency by the closed form, with the simultaneity of all ranks", "0.994");
    CLOSED_FORM_OF_ACTIVE = number("closed_form_of_active", "", "efficiency by the closed form, with the simultaneity of the ranks that have detours", "0.994");
    LARGEST_DELAY = number("largest_us", "µs", "mean of the largest delay of one grain", "11.3");
    DELAY_VARIANCE = number("variance_us2", "µs²", "variance of the largest delay of one grain; empty if it is unbounded", "36.3");
    DEVIATION = number("deviation_us", "µs", "standard deviation of one run; empty if it is unbounded", "191");
    DRAWN = number("drawn_us", "µs", "mean of the largest delay of one grain, drawn at random", "11.2");
    DRAWN_ERROR = number("drawn_error_us", "µs", "standard error of that mean; empty if the variance is unbounded", "0.19");

    RANK = integer("rank", "", "number of the rank", "3");
    FILE = text("file", "file name of the text", "osu.np2.txt");
    TEXT_LINE = integer("line", "", "line of the text, from 1", "5");
    BENCHMARK = text("benchmark", "benchmark that prints the number: `osu`, `imb`, ...; `none` at a point of a sweep without a benchmark", "osu");
    VERSION = text("version", "version of the benchmark that printed the text", "7.4");
    TEST = text("test", "the benchmark's name of the test", "Broadcast Latency");
    ELEMENT = text("element", "type of the elements, if the text gives it", "MPI_CHAR");
    ELEMENTS = integer("elements", "", "number of elements", "256");
    CALLS = integer("calls", "", "number of calls between two clock readings, or number of calls of a benchmark", "10");
    HOST = text("host", "host on which the command ran", "node1");
    START = number("start_us", "µs", "start of the activity or interruption", "10");
    MEDIAN = interval("median_us", "µs", "median", "5.5");
    CLASS_FROM = number("class_from_us", "µs", "shortest detour of a class", "10");
    CLASS_BELOW = number("class_below_us", "µs", "shortest detour that is too long for the class; empty: none is", "100");
    ACTIVE_RANKS = integer("active_ranks", "", "number of ranks that have detours of the class", "2");
    DETOURS = integer("detours", "", "number of detours", "3");
    GAP = number("gap_us", "µs", "mean time between the detours of one rank, g", "1000");
    UNION = number("union_us", "µs", "time in which at least one rank is inside a detour, U", "40");
    COVERAGE = number("coverage", "", "share of the time in which at least one rank is inside a detour, C", "0.04");
    SIMULTANEITY = number("simultaneity", "", "simultaneity of detours over all ranks, S", "0.416667");
    SIMULTANEITY_OF_ACTIVE = number("simultaneity_of_active", "", "the same over the active ranks", "0.625");
    CAUSE = text("cause", "what took the CPU: `preemption`, `irq`, `softirq`, `none` (nothing that the kernel traces) or `unknown`", "preemption");
    WHAT = text("what", "the name of the task or the interrupt; `-`: there is none", "kworker/0:1");
    TAKEN = number("taken_us", "µs", "time that it took from the rank", "90.5");
    TAKEN_SHARE = number("taken_share", "", "share of the rank's time", "0.009");
    TRACED = number("traced_us", "µs", "how much of that the kernel's events cover", "88.1");
    FREQUENCY = number("frequency_hz", "Hz", "frequency", "250");
    POWER = number("power", "", "power of the starts of detours at a frequency, over that of random starts", "31.5");
    UNITS = integer("units", "", "pieces of work that were done in an interval", "30533");
    LOST = number("lost", "", "share of the work that an interval lacks against the one with most", "0.1");
    GRAIN = number("grain_us", "µs", "length of a grain of work", "100");
    DELAY = number("delay_us", "µs", "by how much a grain takes longer", "20.5");
    BEYOND = number("beyond", "", "share of the grains that are delayed for longer than that", "0.01");

    BYTES = integer("bytes", "B", "length of one rank's buffer, or of one block if a block per rank is moved; for messages, their length", "1024");
    FRAGMENT = integer("fragment_bytes", "B", "length of a fragment of a broadcast through shared memory, and of a buffer of its queue", "8192");
    BUFFERS = integer("buffers", "", "buffers of a queue", "32");
    SETS = integer("sets", "", "sets that these are split into", "2");
    QUEUE = integer("queue_bytes", "B", "memory of the buffers of a queue", "262144");
    FRAGMENTS = integer("fragments", "", "number of fragments of the message", "2048");
    USES = integer("uses", "", "how often a set of the queue is used", "64");
    FORMULA = text("formula", "the published formula that holds: `one-fragment`, `one-buffer`, `fits`, `reused`, `sets`", "fits");
    SETS_TIME = number("sets_us", "µs", "waiting for sets of buffers, and leaving them", "7.04");
    FIRST = number("first_us", "µs", "the first round trip", "7170.9");
    NOTIFICATIONS = number("notifications_us", "µs", "waiting for notifications", "102.4");
    COPYING = number("copying_us", "µs", "copying the message out of the queue", "16777.216");
    BOUND = number("bound_us", "µs", "the time by the published formula, which is at least `time_us`", "17410.944");
    MESSAGES = integer("messages", "", "number of messages in one realisation; through shared memory: fragments that readers are notified of", "3");
    BYTES_SENT = integer("bytes_sent", "B", "bytes that all ranks together send", "23552");
    ROUNDS = integer("rounds", "", "number of all rounds; of an algorithm: the most messages in a chain in which each waits for the one before", "6");
    FOR_RANKS = text("for_ranks", "for which numbers of ranks an algorithm is: `any`, `even`, `power-of-two`", "any");
    CALLED_BY_OPENMPI = text("openmpi", "what Open MPI calls the algorithm", "binomial");
    CALLED_BY_MPICH = text("mpich", "what MPICH calls it", "binomial");
    CALLED_BY_PICO = text("pico", "what measurements that were published with PICO call it", "binomial_ompi");
    CLOSED_FORM_OF_TIME = text("time", "its time in closed form, by Hockney's model with eager senders", "⌈log₂P⌉·(α + mβ)");
    WINS = text("wins", "when it is the fastest", "short messages on many ranks");
    UNEVEN = flag("uneven", "true if it moves blocks of uneven lengths, too");
    SEGMENT = integer("segment_bytes", "B", "segment length, if messages are segmented; 0 or empty: no segmentation, or the algorithm's default", "8192");
    FANOUT = integer("fanout", "", "fanout; 0 or empty: the algorithm's default", "4");
    MODEL = text("model", "the network model, or `shared-memory`", "loggp");
    MACHINE = text("machine", "the machine file whose parameters are used", "openmpi");
    NOISE = text("noise", "sources of noise, or `none`", "fixed:duration=1us,rate=1kHz");
    SEED = integer("seed", "", "seed of all random draws", "1");
    NOT_FAST = text("not_fast", "why it was not the fast engine, where that was left to the program", "");
    EVENTS = integer("events", "", "number of events that were simulated", "12");
    OPS = integer("ops", "", "number of operations of a schedule", "5");
    DEPENDENCIES = integer("dependencies", "", "number of dependencies between them", "3");
    WITHOUT_BUFFERS = text("without_buffers", "why the schedule does not end where every sender waits for its receiver; empty: it ends", "");
    NAME = text("name", "name within the kind: a method (`reference`: the windows), a benchmark with its column, or a statistic; for a part of a budget, the error", "reference");
    CHANGE = number("change_us", "µs", "by how much the last error that is switched on changes the number", "2.25");
    POINT = integer("point", "", "number of the point, from 0", "0");
    ENGINE = text("engine", "the engine and its mode", "fast (rounds)");
    FINISH_OVER = text("finish_over", "population of the finish times: `ranks`, or `realisations` (the last rank of each)", "ranks");
    FINISH_MIN = integer("finish_min_ps", "ps", "minimum", "4500000");
    FINISH_MEAN = integer("finish_mean_ps", "ps", "mean", "6406500");
    FINISH_MAX = integer("finish_max_ps", "ps", "maximum: the finish of the last rank", "8542000");
    FINISH_P01 = integer("finish_p01_ps", "ps", "1st percentile", "4500000");
    FINISH_P05 = integer("finish_p05_ps", "ps", "5th percentile", "4500000");
    FINISH_P25 = integer("finish_p25_ps", "ps", "25th percentile", "4500000");
    FINISH_P50 = integer("finish_p50_ps", "ps", "median; of an even number the mean of the two in the middle. All quantiles lie between two values on a straight line, as in NumPy, and are rounded to the nearest ps (half a ps to the even one)", "5542000");
    FINISH_P75 = integer("finish_p75_ps", "ps", "75th percentile", "7042000");
    FINISH_P95 = integer("finish_p95_ps", "ps", "95th percentile", "8542000");
    FINISH_P99 = integer("finish_p99_ps", "ps", "99th percentile", "8542000");
    EXIT_SKEW = integer("exit_skew_ps", "ps", "last finish − first finish; the mean if there are several realisations", "4042000");
    REFERENCE = interval("reference_us", "µs", "the reference; of simulated ranks it is without their noise", "0.5");
    FAILURE = text("failure", "reason why the point could not be simulated", "");
    CURVE = text("curve", "the curve: `truth` (the reference), the barrier before the benchmark's calls, or a case", "truth");
    UNIT = text("unit", "the unit of `a`, `b` and `difference`, of `parameter_from` and `parameter_to`, or of `value`", "us");
    VALUE = interval("value", "`unit`", "value of a parameter", "0.27");
    WORDS = text("words", "value of a parameter that is no number", "good");
    MEANING = text("meaning", "meaning of a parameter", "latency");
    PARAMETER_FROM = integer("parameter_from", "`unit`", "the parameter's first value on a straight piece of the last finish", "0");
    PARAMETER_TO = integer("parameter_to", "`unit`", "its last value", "3480000");
    SLOPE = integer("slope", "", "growth of the last finish in ps for each ps (or ps/B) of the parameter: the number of its occurrences on the critical path", "4");
    INTERCEPT = integer("intercept_ps", "ps", "value of the piece's line at parameter zero", "12168000");
    FINISH_FROM = integer("finish_from_ps", "ps", "the last finish at `parameter_from`", "12168000");
    FINISH_TO = integer("finish_to_ps", "ps", "the last finish at `parameter_to`", "26088000");
    PROVEN = flag("proven", "true if the order of operations does not depend on times, so that every value lies on its piece");
    DISTURBED_BY_NOISE = flag("disturbed_by_noise", "true if noise disturbed the ranks");
    EXITS = text("exits", "`last-first`: one number for each realisation; `each-first`: one for each rank and realisation", "last-first");
    EXITS_COUNTED = integer("exits_counted", "", "number of values", "50");
    MIN = number("min_us", "µs", "minimum", "5.3");
    P99 = number("p99_us", "µs", "99th percentile", "8");
    MAX = number("max_us", "µs", "maximum", "9");
    WORLD = text("world", "where ranks run: `threads`, an MPI library (`openmpi`, `mpich`, ...) or `simulated`", "openmpi");
    DESIGN = text("design", "the design of a broadcast through shared memory: `numa`, `coll-sm`, `mvapich`, `release-gather`", "numa");
    DEPTH = integer("depth", "", "notifications until the last rank knows of a fragment", "3");
    ROOT_LEFT = number("root_us", "µs", "when the root left the last call, from the begin of the first one", "70.1");
    FIRST_READER = number("first_reader_us", "µs", "the same of the first reader", "75.2");
    LAST_READER = number("last_reader_us", "µs", "the same of the last reader", "82.54");
    PER_CALL = number("per_call_us", "µs", "when the last rank left, over the number of calls", "82.54");
    ONE_READER = number("one_reader_us", "µs", "the exact formula of one call of the design `numa` with one reader through this queue", "41.3");
    OVER_ONE_READER = number("over_one_reader", "", "`per_call_us` divided by it", "1.9985");
    OVER_FIRST = interval("over_first", "", "`time_us` divided by the time of the base of `shm measure`'s ratios: the library", "1.12");
    TREE = text("tree", "tree of notifications", "flat");
    ROLE = text("role", "whether the queue was `fitted` to, or kept apart as a `check`", "check");
    COPY = interval("t_ns_per_byte", "ns/B", "t: a copy", "0.08");
    NOTIFICATION = interval("tw_ns", "ns", "t_W: a notification", "120");
    SET = number("two_ns", "ns", "t_WO: waiting for a set", "210");
    LEAVE = number("ta_ns", "ns", "t_A: leaving a set", "33");
    MEMORY = interval("memory_ns_per_byte", "ns/B", "M: root and reader that copy at once take max(t, 2 M) per byte each; 0 if they do not disturb each other", "0.07");
    LINE_NS = number("line_ns", "ns", "transfer time of a cache line between neighbours, or between two cores", "38.1");
    SLOWER = number("slower", "", "slowdown of the slower core", "1.00");
    LAUNCH = integer("launch", "", "number of the launch, from 1", "2");
    OVER_ONE_BUFFER = number("over_one_buffer", "", "`time_us` divided by the time with a queue of one buffer", "0.5139");
    SHARED_BYTES = integer("shared_bytes", "B", "size of the shared segment of all ranks", "798720");
    PARAMETERS = text("parameters", "all parameters of the model as text, in the form of `--set`", "L=2500ns,o=1500ns");
    SIZE = text("size", "`small` (below 10 MiB), `moderate` (up to 100 MiB) or `large`", "small");

    SYSTEM = text("system", "the machine", "leonardo");
    JOB = text("job", "time at which the job began", "2025_04_04___18_21_29");
    OPERATION = text("operation", "the call that is measured or simulated", "bcast");
    ALGORITHM = text("algorithm", "the algorithm: one of Parallax's own, `library` (the library's choice), `library:NAME` (forced) or `shared:FRAGMENT:BUFFERS:SETS:TREE` (through a queue in shared memory)", "binomial");
    PUBLISHED_ALGORITHM = text("published_algorithm", "the algorithm, as published: `..._ompi`, `..._mpich`: the library's, forced; `default_...`: the library's choice; `..._over`: the framework's own code", "binomial_ompi");
    BARRIER = text("barrier", "the barrier that the method or the benchmark calls", "tree");
    BARRIER_GROUNDS = text("barrier_grounds", "how the barrier is known: `stated` by a file of the run, `inferred` from its time, `given` by the user", "inferred");
    FLAGS = text("flags", "flags of the benchmark", "-f -x 1000");
    TEXT = text("text", "file name of the text, if the number comes from a text and was not measured now", "osu.np2.txt");
    PAIRING = text("pairing", "whether a number and its reference come from the same launch", "one launch");
    REFERENCE_BUFFER = text("reference", "state of the buffers of the reference", "touched");
    LOG_RATIO_ERROR = number("log_ratio_standard_error", "", "standard error of the ratio's natural logarithm", "0.02");
    MODES = integer("modes", "", "number of groups into which the launches fall", "1");
    NEVER_REWRITTEN = number("never_rewritten_factor", "", "factor in the ratio from buffers that are never rewritten (E4)", "0.8");
    RANKS_COUNTED = number("ranks_counted_factor", "", "factor in the ratio from other ranks than the slowest (E2)", "0.9");
    REST = number("rest_factor", "", "factor in the ratio from all other causes", "1.3");
    FIRM = flag("firm", "true if the ratio is certain enough to be quoted");
    FROM = text("from", "first configuration of a budget", "reference");
    TO = text("to", "last configuration of a budget", "osu");
    PART = text("part", "part of a budget: `from`, `to`, the errors of a bar, or `remainder` (interaction of three switches, and effects of errors that were not measured)", "E5");
    FACTOR = number("factor", "", "the part as a factor of the number; for `to`, printed ÷ reference", "0.9");
    WINDOWS = integer("windows", "", "valid windows", "108");
    STARTS = integer("starts", "", "number of started windows or calls; `samples` is the number of valid ones", "240");
    AFTER_TRIMMING = integer("after_trimming", "", "samples that are left after trimming", "16");
    TRIMMED = number("trimmed", "", "share of the samples that the mean drops at each end", "0.25");
    STANDARD_ERROR = number("standard_error_us", "µs", "standard error of the trimmed mean, winsorised", "0.03");
    SAMPLES = integer("samples", "", "number of samples of a number, or of a benchmark", "30");
    HIDDEN = number("hidden_percent", "%", "share of a non-blocking call's time that computation hid", "87.2");
    DISTURBED = flag("disturbed", "true if other programs disturbed the reference");
    PLAYED_ALGORITHM = text("played", "the algorithm that was simulated", "binomial");
    PRINTED = interval("printed_us", "µs", "number that the benchmark printed, or would print", "0.25");
    PREDICTED = interval("predicted_us", "µs", "predicted time (of simulated ranks)", "6");
    ERROR = interval("error", "", "(predicted − measured) ÷ measured; 0.1 is 10 % too long", "-0.002");

    COLUMN = text("column", "column header in the benchmark's output", "Avg Latency(us)");
    RANKS_FROM = text("ranks_from", "source of the number of ranks: `text`, `command-line`, `file-name`, `flag`", "flag");
    SOURCE = text("source", "`predicted`, `measured`, and for corrections `rehearsed`, `interpolated`", "measured");
    SCALE = number("scale", "", "factor that fits the expected numbers to the text", "1.1");
    REMAINDER = number("remainder_us", "µs", "rest of `bias_us` beyond the contributions of the errors: the remainder of the budget, and for rehearsed numbers also the error of the prediction", "0");
    BIAS = interval("bias_us", "µs", "printed − reference, as expected or measured", "-0.2");
    CORRECTED = interval("corrected_us", "µs", "the printed number without the benchmark's errors", "0.45");
    REMARKS = text("remarks", "doubts, or the reason why a number is not corrected", "");
    MACHINE_HOST = text("machine_host", "host on which the machine was calibrated", "node1");
    MACHINE_ORIGIN = text("machine_origin", "origin of the machine file: `this-host`, `other-host` or `program` (part of Parallax)", "this-host");

    LATE_INITIALISATION = number("late_initialisation_us", "µs", "contribution of E1 to the printed number: connection setup in the first call", "0.1");
    ONE_RANK = number("one_rank_us", "µs", "contribution of E2 to the printed number: one rank, or a mean over ranks, instead of the slowest rank", "0.1");
    ROOT_CHANGES = number("root_changes_us", "µs", "contribution of E3 to the printed number: a changing root", "0.1");
    BUFFER_REUSE = number("buffer_reuse_us", "µs", "contribution of E4 to the printed number: buffers that stay in the cache", "0.1");
    BARRIER_SKEW = number("barrier_skew_us", "µs", "contribution of E5 to the printed number: ranks that leave the barrier before the call at different times", "0.1");
    UNSYNCHRONISED_LOOP = number("unsynchronised_loop_us", "µs", "contribution of E6 to the printed number: successive calls that overlap", "0.1");
    BAD_CLOCK = number("bad_clock_us", "µs", "contribution of E7 to the printed number: granularity, drift and offsets of clocks", "0.1");
    IDLE_GAP = number("idle_gap_us", "µs", "contribution of E8 to the printed number: ranks that are slower after waiting", "0.1");
    BARRIER_INSIDE = number("barrier_inside_us", "µs", "contribution of E9 to the printed number: a barrier in the timed region", "0.1");
    KEPT_SKEW = number("kept_skew_us", "µs", "contribution of E10 to the printed number: a skew that one delay made and that barrier and operation keep", "0.1");
    REFERENCE_NOISE = number("noise_us", "µs", "variation of the reference between rounds", "1.5");
    ABOVE_NOISE = flag("above_noise", "true if the bias is larger than the noise");
    MEASURED = interval("measured_us", "µs", "measured time", "6.012");
    PREDICTED_CLOSER = flag("predicted_closer", "true if the number corrected by prediction is closer to the reference than the printed number");
    MEASURED_CLOSER = flag("measured_closer", "the same for the number corrected by measurement");
    ROUNDS_CLOSER = integer("rounds_closer", "", "number of rounds in which it is closer", "6");

    OWN_CHOICE = number("own_choice_us", "µs", "median of the library's own choice", "12.4");
    CHOSEN = flag("chosen", "true if the table takes this algorithm");

    SIDE = text("side", "the later side of a pair; the first one is A", "B");
    PARAMETER = text("parameter", "a parameter of calibrated machines, with its unit in the name, or the varied parameter of the network", "hockney.alpha_us");
    FOUND_IN = text("found_in", "sides that have the case: `both`, `a` or `b`", "both");
    BETTER = text("better", "which way of these numbers is better: `less`, `more` or `neither`", "less");
    A = number("a", "`unit`", "A's median", "0.27");
    B = number("b", "`unit`", "B's median", "0.58");
    DIFFERENCE = interval("difference", "`unit`", "B − A", "0.31");
    DELTA = interval("delta", "", "Cliff's delta: share of all pairs in which B is larger, minus the share in which A is larger", "1");
    P = number("p", "", "two-sided p value of this case alone", "0.0357");
    COUNTED = text("counted", "statistical unit of a side: `launches`, `rounds`, `one-launch`, `intervals`", "launches");
    COUNT_A = integer("count_a", "", "number of units of A", "5");
    COUNT_B = integer("count_b", "", "number of units of B", "6");
    OVERSUBSCRIBED_A = flag("oversubscribed_a", "more ranks than cores in A");
    OVERSUBSCRIBED_B = flag("oversubscribed_b", "more ranks than cores in B");
    NOTE = text("note", "remark on the row", "3 launches or fewer on a side: no interval");
    SIDE_A = text("side_a", "the user's name of side A", "before");
    SIDE_B = text("side_b", "the user's name of the other side", "after");
    TRUTH = interval("true_us", "µs", "predicted true time of a call whose number was published", "28.4");
}

quantities! {
    /// Quantities that are only in JSON.
    OF_JSON:

    SHARE = number("share", "", "share of the whole", "0.99");
    DELAYS = integer("delays", "", "number of delays that are known", "576");
    RECORDED_BY = text("method", "how detours were recorded", "selfish");
    THRESHOLD = integer("threshold_ns", "ns", "shorter steps of the clock are no detours", "100");
    INTERVAL = number("interval_us", "µs", "length of an interval", "1000");
    ALGORITHM_BEFORE = text("before", "the cheapest algorithm before that", "linear");
    ALGORITHM_AFTER = text("after", "the cheapest one from there on", "binomial");
    DELAYED = number("delayed", "", "share of the grains that are delayed", "0.0712");
}

/// Returns the columns of axes.
pub fn axes(axes: impl IntoIterator<Item = Axis>) -> impl Iterator<Item = Column> {
    axes.into_iter().map(|axis| named(axis.name(), if axis.is_number() { Kind::Integer } else { Kind::Text }))
}

/// Quantities of the spread of finish times.
pub const FINISH: [Known; 10] = [
    FINISH_MIN,
    FINISH_MEAN,
    FINISH_MAX,
    FINISH_P01,
    FINISH_P05,
    FINISH_P25,
    FINISH_P50,
    FINISH_P75,
    FINISH_P95,
    FINISH_P99,
];

/// Returns the cells below [`FINISH`].
pub fn finish(&Spread { min, mean, max, quantiles: [p01, p05, p25, p50, p75, p95, p99], .. }: &Spread) -> [Cell; 10] {
    [min, mean, max, p01, p05, p25, p50, p75, p95, p99].map(|time| time.0.into())
}

/// Returns the column of a name that results have.
pub fn named(name: impl Into<Cow<'static, str>>, kind: Kind) -> Column {
    let name = name.into();
    let (heading, style) = (name.clone(), crate::data::Style::default());
    Column { name, kind, unit: "", heading, style, places: None, is_seen: false }
}

/// Returns the quantity of an error's contribution to a printed number.
pub fn contribution(error: SystematicError) -> Known {
    match error {
        SystematicError::LateInitialisation => LATE_INITIALISATION,
        SystematicError::OneRank => ONE_RANK,
        SystematicError::RootChanges => ROOT_CHANGES,
        SystematicError::BufferReuse => BUFFER_REUSE,
        SystematicError::BarrierSkew => BARRIER_SKEW,
        SystematicError::UnsynchronisedLoop => UNSYNCHRONISED_LOOP,
        SystematicError::BadClock => BAD_CLOCK,
        SystematicError::IdleGap => IDLE_GAP,
        SystematicError::BarrierInside => BARRIER_INSIDE,
        SystematicError::KeptSkew => KEPT_SKEW,
    }
}

/// Returns a column of words whose name is made of others.
pub fn words(name: impl Into<Cow<'static, str>>) -> Column {
    named(name, Kind::Text)
}

/// Returns the cell of a number, which is a count where it is whole.
pub fn whole(number: f64) -> Cell {
    if number.fract() == 0.0 && (0.0..9e15).contains(&number) { (number as u64).into() } else { number.into() }
}

/// Adds the axes that all tables of cases share before the columns of a table. Each row has a key.
pub fn of_cases(table: Table, keys: impl IntoIterator<Item = Key>) -> Table {
    let cells = keys.into_iter().map(|key| at(&key, Axis::SHARED).collect());
    table.with_columns(0, axes(Axis::SHARED), cells)
}

/// Returns the cells below [`axes`].
pub fn at(key: &Key, axes: impl IntoIterator<Item = Axis>) -> impl Iterator<Item = Cell> {
    axes.into_iter().map(|axis| key.get(axis).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_as_the_dictionary_has_them() {
        let page = include_str!("../../docs/guide/data.md");
        for Known { name, kind, unit, meaning, example } in ALL.iter().chain(OF_PROBES) {
            let kind = match kind {
                Kind::Integer => "integer",
                Kind::Number | Kind::Interval => "number",
                Kind::Text => "text",
                Kind::Flag => "true, false",
            };
            let line = format!("\n| `{name}` | {meaning} | {unit} | {kind} | {example} |\n");
            assert!(page.contains(&line), "the dictionary has no line {line}");
        }
    }
}
