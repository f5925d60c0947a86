//! Versions of libraries as numbers that can be ordered.

use std::fmt;

/// Version of a library: major, minor and patch number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32, pub u32, pub u32);

impl Release {
    /// Reads `5.0.11`, `5.0.0rc2` or `2021.18`. Text behind a number is left out, and a missing patch number is 0.
    /// `None` for any other form.
    pub fn parse(text: &str) -> Option<Release> {
        let mut parts = text.splitn(3, '.').map(|part| {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            part[..end].parse().ok()
        });
        Some(Release(parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?))
    }

    /// Reads the version behind a library's name in the description that ranks give of themselves: `Open MPI 5.0.11
    /// (MPI 3.1), …`. `None` where none follows.
    pub fn behind(title: &str, text: &str) -> Option<Release> {
        let (_, rest) = text.split_once(title)?;
        Release::parse(rest.trim_start().split([' ', ',']).next()?)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Release(major, minor, patch) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers() {
        let of = |text| Release::parse(text);
        assert_eq!((of("5.0.11"), of("5.0.0rc2")), (Some(Release(5, 0, 11)), Some(Release(5, 0, 0))));
        assert_eq!((of("2021.18"), of("4.0")), (Some(Release(2021, 18, 0)), Some(Release(4, 0, 0))));
        assert!(of("5.0.9") < of("5.0.10") && of("4.1.8") < of("5.0.0"));
        assert_eq!([of(""), of("unknown"), of("5"), of("5.x.1"), of("5.0.x")], [None; 5]);
        assert_eq!(Release(4, 1, 4).to_string(), "4.1.4");
    }

    #[test]
    fn the_version_behind_a_name_is_found() {
        let ran_by = "Open MPI 4.1.4 (MPI 3.1) on node7, clock rdtscp";
        assert_eq!(Release::behind("Open MPI", ran_by), Some(Release(4, 1, 4)));
        assert_eq!((Release::behind("MPICH", ran_by), Release::behind("Open MPI", "Open MPI, unknown")), (None, None));
    }
}
