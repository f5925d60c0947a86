//! Cutting a text between blocks, so that several threads can read it.

use super::cursor::Cursor;

/// Cuts the rest into pieces of at least `least` bytes, but for the last, each ending behind a block's brace.
///
/// Braces stand nowhere but around blocks and in comments. A comment without end stays in the last piece, where the
/// reader reports it. Only the first piece knows its line. The others count theirs from 0.
pub(super) fn pieces<'t>(rest: &Cursor<'t>, least: usize) -> Vec<Cursor<'t>> {
    let text = &rest.text[rest.at..];
    let mut pieces = Vec::new();
    let mut cut = |from: usize, to: usize| {
        pieces.push(Cursor::new(&text[from..to], if from == 0 { rest.line } else { 0 }));
    };
    let has_comments = memchr::memchr(b'/', text).is_some();
    let (mut begin, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'}', if has_comments { b'/' } else { b'}' }, &text[at..]) {
        at += found;
        let comment = &text[at..];
        at += match (comment[0], comment.get(1)) {
            (b'}', _) => {
                if at + 1 - begin >= least {
                    cut(begin, at + 1);
                    begin = at + 1;
                }
                1
            }
            (_, Some(b'/')) => memchr::memchr(b'\n', comment).unwrap_or(comment.len()),
            (_, Some(b'*')) => memchr::memmem::find(&comment[2..], b"*/").map_or(comment.len(), |end| end + 4),
            _ => 1,
        };
        if !has_comments {
            // Nothing but a comment could hide a brace: the rest of the piece need not be looked at.
            at = at.max((begin + least).saturating_sub(1)).min(text.len());
        }
    }
    if begin < text.len() {
        cut(begin, text.len());
    }
    pieces
}
