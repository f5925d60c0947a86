//! Items found by their names, and messages for unknown names.

use std::fmt::Display;

/// Quotes a word for a POSIX shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Number of letters in which a known name may differ from an unknown one: a third of the name's letters, so none of
/// one or two. Upper and lower case count as equal.
fn near(name: &str) -> usize {
    name.chars().count() / 3
}

/// Returns the item of `all` that has this name.
///
/// # Errors
/// Returns `unknown WHAT 'name'; known: …`, as [`unknown`] builds it.
pub fn find<T: Copy, N: AsRef<str>>(what: &str, name: &str, all: &[T], name_of: impl Fn(T) -> N) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| name_of(one).as_ref() == name);
    found.ok_or_else(|| unknown(what, name, all.iter().map(|&one| name_of(one))))
}

/// Message for an unknown name: `unknown clock 'tsk' (did you mean tsc?); known: automatic, tsc, …`.
pub fn unknown<N: AsRef<str>>(what: &str, name: &str, known: impl IntoIterator<Item = N>) -> String {
    let known: Vec<N> = known.into_iter().collect();
    let names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let what = if what.is_empty() { String::new() } else { format!("{what} ") };
    format!("unknown {what}'{name}'{}; known: {}", suggestion(name, &names), names.join(", "))
}

/// Number with its noun: `1 rank`, `3 ranks`, `2 launches`; for nouns whose plural ends in s.
pub fn counted(count: impl Display, noun: &str) -> String {
    let ending = if noun.ends_with("ch") { "es" } else { "s" };
    match count.to_string().as_str() {
        "1" => format!("1 {noun}"),
        count => format!("{count} {noun}{ending}"),
    }
}

/// Text ` (did you mean tsc?)`, or nothing where no name is near.
pub fn suggestion<N: AsRef<str>>(name: &str, known: &[N]) -> String {
    nearest(name, known).map(|nearest| format!(" (did you mean {nearest}?)")).unwrap_or_default()
}

/// Known name that is nearest to an unknown one, if any is near.
pub fn nearest<'a, N: AsRef<str>>(name: &str, known: &'a [N]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&lower, &known.to_lowercase());
    let all = known.iter().map(AsRef::as_ref).map(|known| (distance(known), known));
    all.min_by_key(|(far, _)| *far).filter(|(far, _)| *far <= near(name)).map(|(_, nearest)| nearest)
}

/// Defines an enum as a table: each variant has its name and further columns of text. Behind the table stand the method
/// of each column, `find("what")` where variants are found by their names, and `Display(column)` where a column is
/// written.
///
/// ```
/// parallax_models::named! {
///     /// How far apart two ranks are.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub enum Distance {
///         /// On one node.
///         Near => "near", "on one node",
///         /// Anything further.
///         Far => "far", "on several nodes",
///     }
///     /// The name used in files.
///     fn name;
///     /// In a sentence.
///     fn words;
///     find("distance"); Display(words);
/// }
/// assert_eq!(Distance::ALL.map(Distance::name), ["near", "far"]);
/// assert_eq!(Distance::find("far"), Ok(Distance::Far));
/// assert_eq!(Distance::find("for").unwrap_err(), "unknown distance 'for' (did you mean far?); known: near, far");
/// assert_eq!(Distance::Near.to_string(), "on one node");
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $seen:vis enum $kind:ident { $($(#[$of:meta])* $variant:ident => $($cell:literal),+,)+ }
        $($(#[$asked:meta])* fn $column:ident;)+
        $(find($what:literal);)?
        $(Display($shown:ident);)?
    ) => {
        $(#[$about])*
        $seen enum $kind { $($(#[$of])* $variant,)+ }

        const _: () = {
            struct VariantRow { $($column: &'static str,)+ }

            impl $kind {
                /// All variants, in the order of the table.
                #[allow(dead_code)]
                pub const ALL: [$kind; [$($kind::$variant),+].len()] = [$($kind::$variant),+];

                fn row(self) -> VariantRow {
                    let row = |$($column),+| VariantRow { $($column),+ };
                    match self { $($kind::$variant => row($($cell),+),)+ }
                }

                $($(#[$asked])*
                pub fn $column(self) -> &'static str {
                    self.row().$column
                })+

                $(#[doc = concat!("The ", $what, " of this name.")]
                ///
                /// # Errors
                /// Lists the known names.
                pub fn find(name: &str) -> Result<$kind, String> {
                    $crate::names::find($what, name, &$kind::ALL, $kind::name)
                })?
            }

            $(impl std::fmt::Display for $kind {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.$shown())
                }
            })?
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_or_all_names_are_told_and_the_nearest_one() {
        let find = |name| find("animal", name, &["cat", "dog", "donkey"], |name| name);
        assert_eq!(find("dog"), Ok("dog"));
        assert_eq!(suggestion("Q", &["G", "L"]), "", "any letter is one letter away");
        let said = ["dnokey", "Cat", "whale"].map(|name| find(name).unwrap_err()).into_iter().chain([
            unknown("animal", "g", ["G", "L"]),
            unknown("", "cow", ["cat"]),
            unknown("key", "x", [""; 0]),
        ]);
        insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"));
    }
}
