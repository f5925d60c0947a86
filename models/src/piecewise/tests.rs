use super::*;
use proptest::prelude::*;

/// All pieces by looking at every value: the longest straight stretches, from the left.
fn is_right(pieces: &[Piece], range: RangeInclusive<u64>, function: impl Fn(u64) -> u64) {
    let mut next = *range.start();
    for piece in pieces {
        assert_eq!(piece.from, next, "{pieces:?}");
        for x in piece.from..=piece.to {
            assert_eq!(piece.at(x), i128::from(function(x)), "at {x}: {pieces:?}");
        }
        next = piece.to + 1;
    }
    assert_eq!(next, *range.end() + 1, "{pieces:?}");
}

fn find(range: RangeInclusive<u64>, convex: bool, function: impl Fn(u64) -> u64) -> Pieces {
    Pieces::find(range, convex, |x| Ok::<u64, ()>(function(x))).unwrap()
}

#[test]
fn the_breakpoint_of_two_lines_is_where_they_meet() {
    // 7000 and 40 + 2x meet at 3480.
    let found = find(0..=1_000_000_000, true, |x| (40 + 2 * x).max(7_000));
    let [flat, steep] = found.pieces[..] else { panic!("{found:?}") };
    assert_eq!((flat.slope, steep.slope, flat.meets(&steep)), (0, 2, Some(3_480.0)));
    assert_eq!((steep.intercept(), steep.to, steep.at_to()), (40, 1_000_000_000, 2_000_000_040));
    assert!(found.runs < 16, "{found:?}");
}

#[test]
fn a_breakpoint_between_whole_values_is_no_piece() {
    // 10 and 5 + 2x meet at 2.5.
    let found = find(0..=100, true, |x| (5 + 2 * x).max(10));
    assert_eq!(found.pieces.len(), 2, "{found:?}");
    assert_eq!(found.pieces[0].meets(&found.pieces[1]), Some(2.5));
}

#[test]
fn a_jump_is_no_meeting() {
    let found = find(0..=1_000, false, |x| if x < 600 { 3 * x } else { 5_000 + 3 * x });
    assert_eq!(found.pieces.len(), 2, "{found:?}");
    assert_eq!((found.pieces[0].to, found.pieces[0].meets(&found.pieces[1])), (599, None));
}

#[test]
fn noise_has_too_many_pieces() {
    let jagged = |x: u64| Ok::<u64, ()>(x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32);
    assert_eq!(Pieces::find(0..=1_000_000, false, jagged), Err(Unfound::TooMany));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn convex_functions_are_found_exactly(
        lines in proptest::collection::vec((0u64..40, 0u64..3_000), 1..9),
        (from, width) in (0u64..50, 0u64..400),
    ) {
        let function = |x: u64| lines.iter().map(|(slope, at_zero)| at_zero + slope * x).max().unwrap();
        let range = from..=from + width;
        let found = find(range.clone(), true, function);
        is_right(&found.pieces, range, function);
        // Slopes rise, and no piece can be longer, but for a value that two of them share. (A value by itself, between
        // two breakpoints, has no slope of its own.)
        for pair in found.pieces.windows(2) {
            prop_assert!(pair[0].slope < pair[1].slope, "{:?}", found);
            let is_line = pair[0].from < pair[0].to;
            let beyond = pair[0].at(pair[1].from);
            prop_assert!(!is_line || beyond <= i128::from(pair[1].at_from), "{:?}", found);
            let next = pair[1].from + 1;
            prop_assert!(!is_line || next > pair[1].to || pair[0].at(next) < pair[1].at(next), "{:?}", found);
        }
    }

    /// Whatever the function: each piece holds at its ends, and pieces hold every value once.
    #[test]
    fn any_function_is_covered(values in proptest::collection::vec(0u64..9, 1..200)) {
        let last = values.len() as u64 - 1;
        let found = find(0..=last, false, |x| values[x as usize]);
        let mut next = 0;
        for piece in &found.pieces {
            prop_assert_eq!(piece.from, next);
            prop_assert_eq!(piece.at(piece.from), i128::from(values[piece.from as usize]));
            prop_assert_eq!(piece.at(piece.to), i128::from(values[piece.to as usize]));
            next = piece.to + 1;
        }
        prop_assert_eq!(next, last + 1);
    }
}
