//! Solver of linear equations: BiCGStab (van der Vorst 1992) for the seven-point matrix of a grid, of which each rank
//! has a cube.
//!
//! Entries of neighbouring cubes, and sums over all ranks, travel as control messages, whose bytes arrive in every
//! world.

use super::grid::Grid;
use super::{StepTimes, meet};
use crate::method::{broadcast, gather};
use crate::rank::{Phase, Rank};
use models::clock::GlobalClock;
use serde::{Deserialize, Serialize};

/// System of equations that ranks solve repeatedly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solver {
    /// Number of the matrix's rows of each rank along each axis.
    pub rows: [u32; 3],
    /// Grid on which the ranks lie.
    pub grid: Grid,
    /// Number of iterations in all.
    pub iterations: u32,
}

/// Residual below which the system is solved, and the solution begins again.
const SOLVED: f64 = 1e-10;

impl Solver {
    /// Series of products, of sums over all ranks and of iterations, and the residual after each iteration.
    pub(super) async fn run<R: Rank>(&self, rank: &R, clock: &GlobalClock) -> (Vec<StepTimes>, Vec<f64>) {
        let mut system = System::new(self, rank, clock);
        meet(rank).await;
        let mut residuals = Vec::with_capacity(self.iterations as usize);
        let mut state = SolverState::begin(&mut system).await;
        for _ in 0..self.iterations {
            rank.enter_phase(Phase::Metering);
            let begin = rank.read_clock();
            state.iterate(&mut system).await;
            system.iterations.push(rank, clock, begin, rank.read_clock());
            residuals.push(state.residual);
            if state.residual < SOLVED {
                state = SolverState::begin(&mut system).await;
            }
        }
        meet(rank).await;
        (vec![system.products, system.sums, system.iterations], residuals)
    }
}

/// One rank's part of the matrix, in compressed rows: columns from the number of rows on are neighbours' entries.
struct System<'a, R> {
    rank: &'a R,
    clock: &'a GlobalClock,
    rows: usize,
    first: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Faces of the cube, up to six.
    faces: Vec<Face>,
    right: Vec<f64>,
    products: StepTimes,
    sums: StepTimes,
    iterations: StepTimes,
}

/// Face of a cube, behind which another rank has a cube.
struct Face {
    other: u32,
    /// Rows of this rank that the other needs, in an order that both know.
    own: Vec<u32>,
    /// Place at which the other's entries begin in a vector.
    place: usize,
    /// Whether this rank lies before the other along the axis, so that it sends first.
    sends_first: bool,
}

/// Entries on the diagonal and beside it. The matrix is strictly dominant, so that every such system has one solution.
const DIAGONAL: f64 = 6.1;
const BESIDE: f64 = -1.0;

impl<'a, R: Rank> System<'a, R> {
    fn new(solver: &Solver, rank: &'a R, clock: &'a GlobalClock) -> System<'a, R> {
        let [x, y, z] = solver.rows.map(|side| side as usize);
        let rows = x * y * z;
        let index = |at: [usize; 3]| at[0] + x * (at[1] + y * at[2]);
        let (faces, places) = faces(solver, rank.id(), rows);
        let (mut first, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for at in (0..rows).map(|row| [row % x, row / x % y, row / x / y]) {
            columns.push(index(at) as u32);
            values.push(DIAGONAL);
            for (axis, step) in [(2, -1), (1, -1), (0, -1), (0, 1), (1, 1), (2, 1)] {
                let side = solver.rows[axis] as i64;
                let beside = at[axis] as i64 + step;
                let mut other = at;
                other[axis] = beside.rem_euclid(side) as usize;
                let column = if (0..side).contains(&beside) {
                    Some(index(other))
                } else {
                    let flat = on_face(&solver.rows, axis, at);
                    places.iter().find(|place| place.0 == axis && place.1 == step).map(|place| place.2 + flat)
                };
                if let Some(column) = column {
                    columns.push(column as u32);
                    values.push(BESIDE);
                }
            }
            first.push(columns.len() as u32);
        }
        // The right side is no eigenvector, and is the same however the whole grid is divided among ranks.
        let cube = solver.grid.place(rank.id());
        let right = (0..rows).map(|row| [row % x, row / x % y, row / x / y]).map(|at| {
            let whole = |axis: usize| cube[axis].wrapping_mul(solver.rows[axis]).wrapping_add(at[axis] as u32);
            1.0 + f64::from((whole(0) ^ whole(1).rotate_left(3) ^ whole(2).rotate_left(6)).count_ones())
        });
        let right = right.collect();
        let halo: usize = faces.iter().map(|face| face.own.len()).sum();
        let (bytes, count) = (halo as u64 * 8, solver.iterations);
        let series = |name: &str, bytes, each| StepTimes::new(name, bytes, count * each);
        let (products, sums) = (series("product", bytes, 2), series("sum", 8, 5));
        let iterations = series("iteration", 2 * bytes + 40, 1);
        System { rank, clock, rows, first, columns, values, faces, right, products, sums, iterations }
    }

    /// Product of the matrix and a vector, whose neighbours' entries are fetched first.
    async fn product(&mut self, vector: &mut [f64]) -> Vec<f64> {
        let begin = self.rank.read_clock();
        for face in &self.faces {
            face.exchange(self.rank, vector).await;
        }
        let row = |row: usize| {
            let part = self.first[row] as usize..self.first[row + 1] as usize;
            self.columns[part.clone()]
                .iter()
                .zip(&self.values[part])
                .map(|(at, value)| value * vector[*at as usize])
                .sum()
        };
        let result = (0..self.rows).map(row).collect();
        self.products.push(self.rank, self.clock, begin, self.rank.read_clock());
        result
    }

    /// Scalar product of two vectors over all ranks. Rank 0 adds up in the order of ranks.
    async fn dot(&mut self, one: &[f64], other: &[f64]) -> f64 {
        let begin = self.rank.read_clock();
        let own: f64 = one[..self.rows].iter().zip(other).map(|(one, other)| one * other).sum();
        let sum = total(self.rank, own).await;
        self.sums.push(self.rank, self.clock, begin, self.rank.read_clock());
        sum
    }

    /// Vector with room for neighbours' entries.
    fn vector(&self) -> Vec<f64> {
        vec![0.0; self.rows + self.faces.iter().map(|face| face.own.len()).sum::<usize>()]
    }
}

impl Face {
    /// Sends own entries and stores the other's behind the vector's own.
    async fn exchange<R: Rank>(&self, rank: &R, vector: &mut [f64]) {
        let sent: Vec<u8> = self.own.iter().flat_map(|&row| vector[row as usize].to_le_bytes()).collect();
        let mut received = vec![0; sent.len()];
        if self.sends_first {
            rank.send(self.other, &sent).await;
            rank.receive(self.other, &mut received).await;
        } else {
            rank.receive(self.other, &mut received).await;
            rank.send(self.other, &sent).await;
        }
        let numbers = received.chunks_exact(8).map(number);
        vector[self.place..].iter_mut().zip(numbers).for_each(|(entry, number)| *entry = number);
    }
}

/// Faces behind which there is a rank, in an order in which no ranks wait for each other in a circle, and the axis,
/// direction and place of each face's entries.
fn faces(solver: &Solver, rank: u32, rows: usize) -> (Vec<Face>, Vec<(usize, i64, usize)>) {
    let [x, y, z] = solver.rows.map(|side| side as usize);
    let all = || (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])));
    let (mut faces, mut places, mut place) = (Vec::new(), Vec::new(), rows);
    for axis in 0..3 {
        let at = solver.grid.place(rank)[axis];
        // First come the pairs of cubes 0 and 1, 2 and 3, …, then 1 and 2, 3 and 4, …
        let steps: [i64; 2] = if at.is_multiple_of(2) { [1, -1] } else { [-1, 1] };
        for step in steps {
            let mut by = [0; 3];
            by[axis] = step as i32;
            let Some(other) = solver.grid.away(rank, by, false) else { continue };
            let border = if step > 0 { solver.rows[axis] as usize - 1 } else { 0 };
            let own = all().filter(|place| place[axis] == border).map(|[a, b, c]| (a + x * (b + y * c)) as u32);
            let own: Vec<u32> = own.collect();
            let length = own.len();
            faces.push(Face { other, own, place, sends_first: step > 0 });
            places.push((axis, step, place));
            place += length;
        }
    }
    (faces, places)
}

/// Place of a row on a face across an axis, in the order in which faces are sent.
fn on_face(rows: &[u32; 3], axis: usize, at: [usize; 3]) -> usize {
    let mut place = 0;
    for other in (0..3).rev().filter(|&other| other != axis) {
        place = place * rows[other] as usize + at[other];
    }
    place
}

/// Sum of a number over all ranks, in their order.
async fn total<R: Rank>(rank: &R, own: f64) -> f64 {
    let mut all = Vec::new();
    gather(rank, &own.to_le_bytes(), &mut all).await;
    let mut sum = all.chunks_exact(8).map(number).sum::<f64>().to_le_bytes();
    broadcast(rank, &mut sum).await;
    number(&sum)
}

fn number(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

/// Values that an iteration takes over from the one before.
struct SolverState {
    x: Vec<f64>,
    r: Vec<f64>,
    shadow: Vec<f64>,
    p: Vec<f64>,
    v: Vec<f64>,
    rho: f64,
    alpha: f64,
    omega: f64,
    right: f64,
    residual: f64,
}

impl SolverState {
    /// State before the first iteration, with x = 0.
    async fn begin<R: Rank>(system: &mut System<'_, R>) -> SolverState {
        let mut r = system.vector();
        r[..system.rows].copy_from_slice(&system.right);
        let right = system.dot(&r, &r).await;
        let zero = system.vector();
        SolverState {
            x: zero.clone(),
            shadow: r.clone(),
            r,
            p: zero.clone(),
            v: zero,
            rho: 1.0,
            alpha: 1.0,
            omega: 1.0,
            right,
            residual: 1.0,
        }
    }

    async fn iterate<R: Rank>(&mut self, system: &mut System<'_, R>) {
        let rows = system.rows;
        let rho = system.dot(&self.shadow, &self.r).await;
        let beta = rho / self.rho * (self.alpha / self.omega);
        for row in 0..rows {
            self.p[row] = self.r[row] + beta * (self.p[row] - self.omega * self.v[row]);
        }
        let v = system.product(&mut self.p).await;
        self.v[..rows].copy_from_slice(&v);
        self.alpha = rho / system.dot(&self.shadow, &self.v).await;
        let mut s = system.vector();
        for (s, (r, v)) in s.iter_mut().zip(self.r.iter().zip(&self.v)).take(rows) {
            *s = r - self.alpha * v;
        }
        let t = system.product(&mut s).await;
        let (ts, tt) = (system.dot(&t, &s).await, system.dot(&t, &t).await);
        // Where the first half of the step leaves no residual, the second adds nothing.
        self.omega = if tt > 0.0 { ts / tt } else { 0.0 };
        for row in 0..rows {
            self.x[row] += self.alpha * self.p[row] + self.omega * s[row];
            self.r[row] = s[row] - self.omega * t[row];
        }
        self.rho = rho;
        self.residual = (system.dot(&self.r, &self.r).await / self.right).sqrt();
    }
}
