//! Cutting a text between blocks, so that several threads can read it.

use super::cursor::Cursor;

/// Pieces of at least `least` bytes, but for the last, each ending behind a block's brace.
///
/// Braces stand nowhere but around blocks and in comments; a comment without end stays in the last piece,
/// where the reader reports it.
pub(super) fn pieces<'t>(rest: &Cursor<'t>, least: usize) -> Vec<Cursor<'t>> {
    let text = &rest.text[rest.at..];
    let mut pieces = Vec::new();
    let (mut begin, mut line, mut at) = (0, rest.line, 0);
    let mut cut = |end: usize| {
        let piece = &text[begin..end];
        pieces.push(Cursor::new(piece, line));
        line = line.saturating_add(memchr::memchr_iter(b'\n', piece).count() as u32);
        begin = end;
    };
    let mut last_cut = 0;
    while let Some(found) = memchr::memchr2(b'}', b'/', &text[at..]) {
        at += found;
        let comment = &text[at..];
        at += match (comment[0], comment.get(1)) {
            (b'}', _) => {
                if at + 1 - last_cut >= least {
                    cut(at + 1);
                    last_cut = at + 1;
                }
                1
            }
            (_, Some(b'/')) => memchr::memchr(b'\n', comment).unwrap_or(comment.len()),
            (_, Some(b'*')) => memchr::memmem::find(&comment[2..], b"*/").map_or(comment.len(), |end| end + 4),
            _ => 1,
        };
    }
    if last_cut < text.len() {
        cut(text.len());
    }
    pieces
}
