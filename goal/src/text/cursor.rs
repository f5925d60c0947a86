//! The lexer of bytes, blanks, comments, words, numbers and lines.

/// Mistake in a line of text, with its reason.
#[derive(Debug)]
pub(super) struct Mistake {
    pub line: u32,
    pub reason: String,
}

/// Name with its first 8 bytes as a number, which differs between different short names.
#[derive(Clone, Copy)]
pub(super) struct Word<'t> {
    pub bytes: &'t [u8],
    pub key: u64,
}

impl Word<'_> {
    #[inline(always)]
    pub(super) fn is_short(&self) -> bool {
        self.bytes.len() <= 8
    }

    /// Returns true if this is the given word of at most 8 bytes.
    #[inline(always)]
    pub(super) fn is(&self, word: &[u8]) -> bool {
        self.bytes.len() == word.len() && self.key == key(word)
    }
}

/// Returns the first 8 bytes of a word as a number.
const fn key(word: &[u8]) -> u64 {
    let (mut key, mut index) = (0, 0);
    while index < word.len() && index < 8 {
        key |= (word[index] as u64) << (8 * index);
        index += 1;
    }
    key
}

const IN_NAMES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

#[derive(Clone)]
pub(super) struct Cursor<'t> {
    pub text: &'t [u8],
    pub at: usize,
    pub line: u32,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t [u8], line: u32) -> Cursor<'t> {
        Cursor { text, at: 0, line }
    }

    /// Returns the next byte, 0 at the end.
    #[inline(always)]
    pub(super) fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Skips blanks and comments, up to something else or the end of the line.
    #[inline]
    pub(super) fn skip_blanks(&mut self) -> Result<(), Mistake> {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Skips blanks, comments and line ends.
    #[inline]
    pub(super) fn skip_lines(&mut self) -> Result<(), Mistake> {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                }
                b'/' => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    #[cold]
    fn skip_comment(&mut self) -> Result<(), Mistake> {
        let rest = &self.text[self.at..];
        let length = match rest.get(1) {
            Some(b'/') => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            Some(b'*') => match memchr::memmem::find(&rest[2..], b"*/") {
                Some(end) => end + 4,
                None => return Err(self.mistake("this comment has no end: expected '*/'")),
            },
            _ => return Err(self.expected("a statement or a comment")),
        };
        let lines = memchr::memchr_iter(b'\n', &rest[..length]).count();
        self.line = self.line.saturating_add(lines as u32);
        self.at += length;
        Ok(())
    }

    /// Reads a name of letters, digits and underscores that begins with a letter. Empty if there is none here.
    #[inline]
    pub(super) fn word(&mut self) -> Word<'t> {
        let rest = &self.text[self.at..];
        let mut word = Word { bytes: &[], key: 0 };
        let mut length = 0;
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            while let Some(&byte) = rest.get(length)
                && IN_NAMES[byte as usize]
            {
                if length < 8 {
                    word.key |= u64::from(byte) << (8 * length);
                }
                length += 1;
            }
            word.bytes = &rest[..length];
        }
        self.at += length;
        word
    }

    /// Reads a whole number of up to 64 bits.
    #[inline]
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Mistake> {
        let begin = self.at;
        let mut number = 0u64;
        loop {
            let digit = self.peek().wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            match number.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit))) {
                Some(sum) => number = sum,
                None => return Err(self.mistake(&format!("{what} does not fit in 64 bits"))),
            }
            self.at += 1;
        }
        if self.at == begin { Err(self.expected(what)) } else { Ok(number) }
    }

    /// Skips this byte if it comes next. Returns whether it did.
    #[inline(always)]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let here = self.at < self.text.len() && self.peek() == byte;
        self.at += usize::from(here);
        here
    }

    pub(super) fn mistake(&self, reason: &str) -> Mistake {
        Mistake { line: self.line, reason: reason.to_owned() }
    }

    /// Returns the mistake "expected this, found that" for this place.
    #[cold]
    pub(super) fn expected(&self, what: &str) -> Mistake {
        let rest = &self.text[self.at.min(self.text.len())..];
        let line = rest.split(|&byte| byte == b'\n' || byte == b'\r').next().unwrap_or_default();
        let found = match (rest.is_empty(), line.is_empty()) {
            (true, _) => "the end of the file".to_owned(),
            (false, true) => "the end of the line".to_owned(),
            (false, false) => format!("'{}'", String::from_utf8_lossy(&line[..line.len().min(30)])),
        };
        Mistake { line: self.line, reason: format!("expected {what}, found {found}") }
    }
}
