//! Admission of requests: only the server's own page may ask, on this machine.

/// Origin of a request, as its head states it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller<'a> {
    pub path: &'a str,
    /// Value of the header `Host`.
    pub host: Option<&'a str>,
    /// Value of the header `Origin`.
    pub origin: Option<&'a str>,
}

/// Refusal of a request: status and sentence.
pub(super) type Refusal = (u16, String);

/// Returns a random token of 128 bits, too long to be guessed.
pub(super) fn token() -> anyhow::Result<String> {
    let mut bytes = [0_u8; 16];
    std::io::Read::read_exact(&mut std::fs::File::open("/dev/urandom")?, &mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the part of the path behind the token.
///
/// # Errors
/// Refuses a foreign host or page, and another token.
pub(super) fn admit<'a>(caller: Caller<'a>, port: u16, token: &str) -> Result<&'a str, Refusal> {
    let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    if !caller.host.is_some_and(|host| names.iter().any(|name| name == host)) {
        return Err((403, "this server answers under the address that it printed only".to_owned()));
    }
    // A page that another site sent would give its own address.
    let own = |origin: &str| names.iter().any(|name| origin == format!("http://{name}"));
    if !caller.origin.is_none_or(own) {
        return Err((403, "this server answers its own page only".to_owned()));
    }
    let path = caller.path.split(['?', '#']).next().unwrap_or_default();
    let rest = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    match rest {
        Some((given, rest)) if same(given, token) => Ok(rest),
        _ => Err((404, "nothing is here: open the address that parallax lesson printed".to_owned())),
    }
}

/// Compares all letters, in the same time however early two texts differ.
fn same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_servers_own_page_comes_in() {
        let ask = |path, host: &'static str, origin: Option<&'static str>| {
            admit(Caller { path, host: Some(host), origin }, 8000, "abc").map_err(|(status, _)| status)
        };
        assert_eq!(ask("/abc/ask", "127.0.0.1:8000", None), Ok("ask"));
        assert_eq!(ask("/abc/?x", "localhost:8000", Some("http://localhost:8000")), Ok(""));
        assert_eq!(ask("/abc/", "[::1]:8000", None), Ok(""));
        assert_eq!(ask("/abc/", "evil.example:8000", None), Err(403), "a name that leads here");
        assert_eq!(ask("/abc/", "127.0.0.1:8001", None), Err(403));
        assert_eq!(ask("/abc/", "127.0.0.1:8000", Some("http://evil.example")), Err(403));
        assert_eq!(ask("/abc/", "127.0.0.1:8000", Some("null")), Err(403), "a page from a file");
        for path in ["/", "/abd/", "/ab/", "/abcd/", "/abc", ""] {
            assert_eq!(ask(path, "127.0.0.1:8000", None), Err(404), "{path}");
        }
        assert!(admit(Caller { path: "/abc/", host: None, origin: None }, 8000, "abc").is_err());
        assert_ne!(token().unwrap(), token().unwrap());
    }
}
