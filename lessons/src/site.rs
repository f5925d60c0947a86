//! The pages of the lessons, each one file that needs nothing else: words, scripts and, where it is to run without a
//! server, the simulator as WebAssembly.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};
use models::network::NAMED;
use serde_json::{Map, Value, json};
use std::io::Write;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/site");

/// Lessons in the order in which they are listed. Each is a script in `site/lessons/`.
pub const LESSONS: [&str; 12] = [
    "barrier-skew",
    "late-rank",
    "start",
    "loop",
    "tree",
    "root-changes",
    "bad-clocks",
    "message",
    "noise",
    "buffers",
    "pipelining",
    "errors",
];

/// Simulator that answers a page's questions.
#[derive(Clone, Copy, Debug)]
pub enum Simulator<'a> {
    /// The page itself, by this WebAssembly module.
    Module(&'a [u8]),
    /// The server that sent the page.
    Server {
        /// Address of the server: the part before `ask`, `measure` and `watch`.
        base: &'a str,
        /// Worlds in which it measures, each with its name for people.
        worlds: &'a [(String, String)],
    },
}

/// Returns the page of some lessons, with a menu if there are several.
pub fn page(lessons: &[&str], simulator: Simulator<'_>) -> String {
    let (module, base, worlds) = match simulator {
        Simulator::Module(bytes) => (packed(bytes), "", Vec::new()),
        Simulator::Server { base, worlds } => (String::new(), base, worlds.to_vec()),
    };
    let worlds: Vec<Value> = worlds.iter().map(|(world, words)| json!({ "world": world, "words": words })).collect();
    let sources: Vec<String> =
        NAMED.iter().map(|named| format!("{} ({}): {}", named.words, named.year, named.source)).collect();
    let title = if let [one] = lessons { one } else { "lessons" };
    let parts = [
        ("title", format!("{title} – Parallax")),
        ("style", text("lessons.css").to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("networks", in_script(&networks())),
        ("sources", escaped(&sources.join("; "))),
        ("simulator", module),
        ("base", escaped(base)),
        ("beside", beside(lessons)),
        ("worlds", in_script(&Value::Array(worlds))),
        ("importmap", json!({ "imports": imports() }).to_string()),
        ("start", start(lessons)),
    ];
    let mut page = String::new();
    let mut rest = text("page.html");
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("a name ends");
        let (_, part) = parts.iter().find(|(known, _)| *known == name).expect("all names are known");
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page + rest
}

/// Returns the links from the page of one lesson to those beside it in the folder that `scripts/lessons` writes.
fn beside(lessons: &[&str]) -> String {
    let &[one] = lessons else { return String::new() };
    let place = LESSONS.iter().position(|&lesson| lesson == one);
    let link = |lesson: Option<&&str>, relation: &str, words: &str| {
        lesson.map(|lesson| format!("<a rel=\"{relation}\" href=\"{lesson}.html\">{words}</a>"))
    };
    let before = place.and_then(|place| link(LESSONS.get(place.checked_sub(1)?), "prev", "previous lesson"));
    let after = place.and_then(|place| link(LESSONS.get(place + 1), "next", "next lesson"));
    let links: Vec<String> = before.into_iter().chain(after).collect();
    format!("<p class=\"beside\">{}</p>", links.join(" · "))
}

fn text(path: &str) -> &'static str {
    FOLDER.get_file(path).and_then(include_dir::File::contents_utf8).expect("it is in the folder")
}

/// Returns the named networks, as the page's controls take them.
fn networks() -> Value {
    let one = |named: &models::network::Named| json!({ "name": named.name, "words": named.words, "year": named.year, "set": named.set, "source": named.source });
    Value::Array(NAMED.iter().map(one).collect())
}

/// Returns every script under the name by which others import it, as an address that holds the script.
fn imports() -> Map<String, Value> {
    let script = |file: &'static include_dir::File<'static>, folder: &str| {
        let name = file.path().file_stem()?.to_str()?;
        let data = STANDARD.encode(file.contents());
        Some((format!("#{folder}{name}"), Value::String(format!("data:text/javascript;base64,{data}"))))
    };
    let of = |path: &'static str, folder: &'static str| {
        let files = FOLDER.get_dir(path).expect("it is in the folder").files();
        files.filter_map(move |file| script(file, folder))
    };
    of("js", "").chain(of("lessons", "lessons/")).collect()
}

/// Returns the script that starts the page.
fn start(lessons: &[&str]) -> String {
    let import = |(nth, lesson): (usize, &&str)| format!("import lesson{nth} from \"#lessons/{lesson}\";\n");
    let imports: String = lessons.iter().enumerate().map(import).collect();
    let names: Vec<String> = (0..lessons.len()).map(|nth| format!("lesson{nth}")).collect();
    format!(
        "import {{ Page }} from \"#page\";\n{imports}window.page = new Page([{}]);\npage.start();\n",
        names.join(", ")
    )
}

/// Compresses bytes to a text that a page unpacks.
fn packed(bytes: &[u8]) -> String {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("memory takes it");
    STANDARD.encode(packed.finish().expect("memory takes it"))
}

/// Returns JSON that may stand inside a script element.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use programs::budget::SystematicError;

    #[test]
    fn a_page_holds_all_that_it_needs_and_nothing_is_fetched() {
        let page = page(&LESSONS, Simulator::Module(b"\0asm"));
        assert!(!page.contains("{{") && !page.contains("http://") && !page.contains("https://"), "nothing outside");
        for lesson in LESSONS {
            assert!(
                page.contains(&format!("\"#lessons/{lesson}\"")) && page.contains(&format!("#lessons/{lesson}\":"))
            );
        }
        let errors = text("lessons/errors.js");
        for error in SystematicError::ALL {
            let named = format!("[\"{}\", \"{}\"", error.label(), error.name().replace('-', " "));
            assert!(errors.contains(&named), "errors.js names {error} otherwise");
        }
        let listed = FOLDER.get_dir("lessons").unwrap().files().count();
        assert_eq!(listed, LESSONS.len(), "every script is a lesson");
        // What scripts import is there.
        let imports = imports();
        for file in FOLDER.get_dir("js").unwrap().files().chain(FOLDER.get_dir("lessons").unwrap().files()) {
            for import in file.contents_utf8().unwrap().lines().filter_map(|line| line.split(" from \"").nth(1)) {
                let name = import.split('"').next().unwrap();
                assert!(imports.contains_key(name), "{}: {name}", file.path().display());
            }
        }
    }

    #[test]
    fn a_servers_page_names_its_worlds_and_has_no_module() {
        let worlds = [("threads".to_owned(), "threads of <this> machine".to_owned())];
        let page = page(&["loop"], Simulator::Server { base: "/token/", worlds: &worlds });
        assert!(page.contains("data-base=\"/token/\"") && page.contains("\\u003cthis>"), "{page}");
        assert!(page.contains("id=\"simulator\"></script>") && !page.contains("lesson1"));
    }
}
