use super::grid::Grid;

#[test]
fn grids_are_as_cubic_as_they_can_be() {
    let sides = [
        (1, [1, 1, 1]),
        (2, [2, 1, 1]),
        (7, [7, 1, 1]),
        (8, [2, 2, 2]),
        (12, [3, 2, 2]),
        (16, [4, 2, 2]),
        (60, [5, 4, 3]),
    ];
    for (ranks, expected) in sides {
        assert_eq!(Grid::for_ranks(ranks), Grid(expected));
        assert_eq!(Grid::for_ranks(ranks).to_string().parse(), Ok(Grid::for_ranks(ranks)));
    }
    assert_eq!("4x2".parse(), Ok(Grid([4, 2, 1])));
    assert!("4x0".parse::<Grid>().is_err() && "".parse::<Grid>().is_err() && "1x2x3x4".parse::<Grid>().is_err());
    assert_eq!(Grid([u32::MAX, 2, 1]).ranks(), None);
}

#[test]
fn neighbours_on_a_grid_are_where_they_are() {
    let grid = Grid([3, 2, 2]);
    for rank in 0..12 {
        let [x, y, z] = grid.place(rank);
        assert_eq!(x + 3 * (y + 2 * z), rank);
        assert_eq!(grid.away(rank, [0, 0, 0], false), Some(rank));
        assert_eq!(grid.away(rank, [1, 0, 0], false), (x < 2).then_some(rank + 1));
        assert_eq!(grid.away(rank, [0, -1, 0], false), (y > 0).then(|| rank - 3));
        assert_eq!(grid.away(rank, [3, 2, -2], true), Some(rank), "once round");
    }
    assert_eq!(grid.away(0, [-1, 0, 0], true), Some(2));
}
