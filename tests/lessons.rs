//! The lessons in a real browser: slid, read, compared with `parallax simulate` to the picosecond; on three sizes of screen.

mod common;

use common::chromium::{Tab, browser};
use common::command::{Running, finish, parallax};
use common::lessons::{WHOLE, compare, drawn, shown};
use lessons::site::LESSONS;
use std::path::PathBuf;

/// The pages that scripts/lessons has written; without them, or without a browser, nothing is tested.
fn pages() -> Option<PathBuf> {
    let folder = std::env::var_os("PARALLAX_LESSONS").map(PathBuf::from);
    if folder.is_none() {
        assert!(std::env::var_os("PARALLAX_REQUIRE_LESSONS").is_none(), "no pages: run scripts/lessons");
        eprintln!("skipped: PARALLAX_LESSONS names no folder of pages (scripts/lessons FOLDER)");
    }
    folder
}

/// Moves the n-th slider by some steps, as a hand does.
fn slide(tab: &mut Tab, nth: usize, steps: i32) {
    tab.value(&format!(
        "(() => {{ const root = document.documentElement.dataset; delete root.whole;
            const all = [...document.querySelectorAll('.control.range:not([hidden]) input')];
            const slider = all[{nth} % all.length];
            slider.value = Number(slider.value) + {steps};
            slider.dispatchEvent(new Event('input')); }})()"
    ));
    tab.until(WHOLE);
}

/// Chooses an option, as a hand does.
fn choose(tab: &mut Tab, key: &str, option: &str) {
    tab.value(&format!(
        "(() => {{ delete document.documentElement.dataset.whole;
            const select = document.getElementById('set-{key}');
            select.value = '{option}';
            select.dispatchEvent(new Event('change')); }})()"
    ));
    tab.until(WHOLE);
}

fn fits(tab: &mut Tab, lesson: &str, (width, height): (u32, u32)) {
    tab.size(width, height);
    tab.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    let wide = tab.value("document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(wide <= u64::from(width), "{lesson} at {width}x{height} is {wide} px wide: something sticks out");
    drawn(tab);
}

#[test]
fn every_lesson_slides_and_tells_the_picoseconds_of_the_command() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tab = Tab::start(&browser);
    for lesson in LESSONS {
        tab.size(1280, 800);
        tab.open(&format!("file://{}", pages.join(format!("{lesson}.html")).display()));
        tab.until(WHOLE);
        compare(&mut tab, &folder);
        tab.value("document.querySelector('#guess input').click()");
        let below = tab.value(
            "['sentence', 'controls'].map((id) => document.getElementById(id)).concat(document.querySelector('#pictures canvas'))
                .filter((part) => part.getBoundingClientRect().bottom > innerHeight).map((part) => part.id || 'picture')",
        );
        assert_eq!(below, serde_json::json!([]), "{lesson}: not on one screen of 1280x800");
        for (nth, steps) in [(0, 1), (1, 2), (2, -1)] {
            slide(&mut tab, nth, steps);
            compare(&mut tab, &folder);
        }
        // Where a number has a closed form, it is the simulated one.
        let forms = tab.value(
            "page.shown.numbers.map(([, value, note]) => [value, /closed form[^=]*= ([\\d.]+(?: [µnm]?s)?)/.exec(note ?? '')?.[1]])",
        );
        for pair in forms.as_array().unwrap().iter().filter(|pair| !pair[1].is_null()) {
            assert_eq!(pair[0], pair[1], "{lesson}: a closed form");
        }
        for size in [(1280, 800), (1024, 768), (360, 740)] {
            fits(&mut tab, lesson, size);
        }
    }
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn every_design_through_shared_memory_tells_the_numbers_of_its_command() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tab = Tab::start(&browser);
    tab.open(&format!("file://{}#pipelining?ranks=5&sets=2", pages.join("pipelining.html").display()));
    tab.until(WHOLE);
    for design in ["coll-sm", "mvapich", "release-gather", "numa"] {
        choose(&mut tab, "design", design);
        assert!(shown(&mut tab).iter().all(|(command, _)| command.contains(design)), "the command names {design}");
        compare(&mut tab, &folder);
    }
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn errors_divided_over_simulators_tell_the_numbers_of_one_command() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tab = Tab::start(&browser);
    let all: String = (1..10).map(|error| format!("&E{error}=true")).collect();
    tab.open(&format!("file://{}#errors?ranks=12&calls=4{all}", pages.join("errors.html").display()));
    tab.until(WHOLE);
    tab.until("page.simulator.shares.workers.length === 2");
    // By the page alone, by a worker and the page, by two workers.
    for (pace_ms, who) in [("0", 1), ("20 / all", 2), ("1000", 2)] {
        tab.value(&format!(
            "page.simulator.shares.who = function (all) {{ this.pace_ms = {pace_ms};
                 return this.asked = Object.getPrototypeOf(this).who.call(this, all); }}; 0"
        ));
        // Other calls than those before, so that nothing is remembered.
        slide(&mut tab, 1, 1);
        assert_eq!(tab.value("page.simulator.shares.asked.length"), who);
        let with_page = tab.value("page.simulator.shares.asked.includes(page.simulator.shares.here)");
        assert_eq!(with_page, pace_ms != "1000");
        assert_eq!(tab.value("page.answers.run.errors.length"), 9);
        assert!(
            tab.value("page.answers.run.errors.every(({ change_us }) => Number.isFinite(change_us))")
                .as_bool()
                .unwrap()
        );
        compare(&mut tab, &folder);
    }
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

/// What the chosen barrier's two timelines show, all ranks together and after one delay: of each call how far apart ranks
/// begin it, and the longest time of a rank, both in ps.
fn calls_drawn(tab: &mut Tab) -> [Vec<[u64; 2]>; 2] {
    let seen = "page.pictures[0].drawn.place.runs.map(({ trace: { samples } }) => [0, 1, 2].map((call) => {
        const [from, to] = [1, 2].map((part) => samples.map((rank) => rank[4 * call + part]));
        return [Math.max(...from) - Math.min(...from), Math.max(...to.map((at, rank) => at - from[rank]))]; }))";
    serde_json::from_value(tab.value(seen)).unwrap()
}

#[test]
fn one_delay_is_kept_behind_recursive_doubling_and_forgotten_behind_a_tree() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tab = Tab::start(&browser);
    tab.size(1280, 800);
    // The errors' lesson leads to it, from a page of its own and from that of all lessons.
    let index = format!("file://{}", pages.join("index.html").display());
    tab.open(&format!("{index}#errors?E10=true"));
    tab.until(WHOLE);
    let link = "document.querySelector('#set-E10').closest('.control').querySelector('a')";
    tab.value(&format!("{link}.click()"));
    tab.until("page.lesson.id === 'start' && page.settings.delay === 'auto'");
    tab.open(&format!("file://{}", pages.join("errors.html").display()));
    tab.until(WHOLE);
    let address = tab.value(&format!("{link}.href"));
    assert!(address.as_str().unwrap().contains("/start.html#start?"), "{address}");
    tab.open(&format!("{}&L=2000&o=500&g=0&G=0", address.as_str().unwrap()));
    tab.until(WHOLE);
    assert_eq!(tab.value("document.getElementById('address').textContent"), "");
    let numbers = "page.shown.numbers.map(([name, value]) => `${name}: ${value}`).join('\\n')";
    insta::assert_snapshot!(tab.value(numbers).as_str().unwrap(), @r"
    the call takes (slowest rank, common start): 9 µs
    recursive doubling: symmetric state: 9 µs
    recursive doubling: state after one delay: 15 µs
    tree: symmetric state: 16.5 µs
    tree: state after one delay: 16.5 µs
    by windows, after one delay: 9 µs
    ");
    // 3 (L + 2 o), and 3 L more; 3 L between the ranks.
    let [together, late] = calls_drawn(&mut tab);
    assert_eq!(together, [[0, 9_000_000]; 3]);
    assert_eq!(late, [[6_000_000, 15_000_000]; 3], "the skew stays from call to call");
    assert!(tab.value("page.answers.late.command").as_str().unwrap().contains("--delay auto"));
    compare(&mut tab, &folder);
    for size in [(1280, 800), (1024, 768), (360, 740)] {
        fits(&mut tab, "start", size);
    }
    choose(&mut tab, "barrier", "tree");
    let [together, late] = calls_drawn(&mut tab);
    assert_eq!(together, late, "forgotten");
    assert!(late.iter().all(|&[skew, longest]| skew > 0 && longest == 16_500_000), "{late:?}");
    compare(&mut tab, &folder);
    tab.until("location.hash.includes('barrier') === false && location.hash.includes('delay=auto')");
    choose(&mut tab, "delay", "none");
    tab.until("!location.hash.includes('delay')");
    assert!(!tab.value("document.getElementById('command').textContent").as_str().unwrap().contains("--delay"));
    compare(&mut tab, &folder);
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn settings_are_in_the_address_and_guesses_exercises_and_keys_are_heard() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let mut tab = Tab::start(&browser);
    tab.size(1280, 800);
    let index = format!("file://{}", pages.join("index.html").display());
    tab.open(&format!("{index}#loop?calls=8&rank=2&ranks=6"));
    tab.until(WHOLE);
    assert_eq!(tab.value("document.getElementById('lesson').options.length"), LESSONS.len());
    assert_eq!(
        tab.value("[page.settings.ranks, page.settings.calls, page.settings.rank]"),
        serde_json::json!([6, 8, 2])
    );
    // r = (2 + 7 * 5) / (8 * 2)
    assert!(tab.value("document.getElementById('sentence').textContent").as_str().unwrap().contains("2.313 times"));
    slide(&mut tab, 1, 1);
    tab.until("location.hash.includes('calls=9')");
    tab.value("document.querySelectorAll('#guess input')[2].click()");
    assert!(tab.value("document.getElementById('guess-answer').textContent").as_str().unwrap().starts_with("Right."));
    for (answer, begins) in [("6", "Not yet."), ("six", "expected a number"), ("6.4", "Right: 6.4")] {
        tab.value(&format!(
            "document.querySelector('#exercise input').value = '{answer}';
             document.getElementById('exercise').requestSubmit();"
        ));
        tab.until(&format!("document.querySelector('#exercise output').textContent.startsWith('{begins}')"));
    }
    for lesson in LESSONS {
        // Every exercise has an answer that is a number.
        let answer = format!(
            "(async () => {{ const {{ exercise }} = page.lessons.find((one) => one.id === '{lesson}');
                return exercise.answer(await page.simulator.ask(exercise.ask)); }})()"
        );
        assert!(tab.value(&answer).is_number(), "{lesson}");
    }
    let theme = tab.value("document.documentElement.dataset.theme");
    tab.press("d");
    assert_ne!(tab.value("document.documentElement.dataset.theme"), theme);
    tab.press("f");
    tab.until("document.body.classList.contains('room')");
    let letters = tab.value("parseFloat(getComputedStyle(document.documentElement).fontSize) / innerHeight");
    assert!(letters.as_f64().unwrap() >= 0.03, "letters of {letters} of the height");
    tab.press(".");
    assert!(tab.value("Number.isFinite(page.steps.until)").as_bool().unwrap(), "one message on");
    tab.press("n");
    tab.until("page.lesson.id === 'tree'");
    // A refusal is a sentence on the page, and what follows is answered.
    let refused = tab.value("page.simulator.ask({ ranks: 0 }).catch((error) => error.message)");
    assert!(refused.as_str().unwrap().contains("--ranks: expected 1"), "{refused}");
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn addresses_are_answered_pictures_are_walked_by_keys_and_legends_have_their_colours() {
    let (Some(browser), Some(pages)) = (browser(), pages()) else { return };
    let mut tab = Tab::start(&browser);
    tab.size(360, 740);
    let index = format!("file://{}", pages.join("index.html").display());
    let text = |id: &str| format!("document.getElementById('{id}').textContent");
    tab.open(&format!("{index}#barrier-skew?ranks=70&apart=10&algorithm=ring&clock=1"));
    tab.until(WHOLE);
    let said = tab.value(&text("address"));
    insta::assert_snapshot!(said.as_str().unwrap(), @"From the address: ranks=70 is not one of 2, 3, 4, …, 1048576: 64 is used instead; algorithm=ring is not one of linear, tree, double-ring, recursive-doubling, dissemination, n-way-dissemination: tree is used instead; clock is no setting of this lesson.");
    // The axis of the picture and the numbers count from the same instant.
    assert_eq!(
        tab.value("page.pictures[0].drawn.place.runs[0].begin + page.pictures[0].drawn.place.length"),
        tab.value("page.shown.runs[0].finish_ps.max")
    );
    let broken = "[...document.querySelectorAll('output, #sentence, #numbers td')].map((part) => part.textContent)
        .filter((words) => /\\d ([pnµm]?s|B|%)(?![a-z])/.test(words))";
    assert_eq!(tab.value(broken), serde_json::json!([]), "numbers that break from their units");
    // What to try gives the answer away.
    assert!(tab.value("getComputedStyle(document.getElementById('try')).display === 'none'").as_bool().unwrap());
    tab.value("document.querySelector('#guess input').click()");
    assert!(tab.value("getComputedStyle(document.getElementById('try')).display !== 'none'").as_bool().unwrap());
    slide(&mut tab, 0, -30);
    assert_eq!(tab.value(&text("address")), "", "what was said of the address is over");
    let walked = "(() => { const canvas = document.querySelector('#pictures canvas'); canvas.focus();
        return ['Home', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'End'].map((key) => {
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key })); return document.getElementById('told').textContent; }); })()";
    let walked: Vec<String> = serde_json::from_value(tab.value(walked)).unwrap();
    insta::assert_snapshot!(walked.join("\n").replace("\u{a0}", " "), @r"
    rank 0: waiting from 3.715 µs to 13.22 µs (9.501 µs), in call 1
    rank 0: receiving from 13.22 µs to 13.42 µs (200 ns), in call 1
    rank 1: waiting from 9.517 µs to 17.32 µs (7.8 µs), in call 1
    rank 0: waiting from 3.715 µs to 13.22 µs (9.501 µs), in call 1
    rank 0: waiting from 3.715 µs to 13.22 µs (9.501 µs), in call 1
    rank 0: sending from 13.42 µs to 13.62 µs (200 ns), in call 1
    ");
    for theme in ["dark", "light"] {
        tab.value(&format!("page.theme('{theme}')"));
        // A colour of the legend is that of many points of the picture.
        let found = "(() => { const canvas = document.querySelector('#pictures canvas');
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const [r, g, b] = getComputedStyle(document.querySelector('#legend .sending')).backgroundColor.match(/\\d+/g).map(Number);
            let same = 0;
            for (let at = 0; at < data.length; at += 4) same += Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 30;
            return same; })()";
        assert!(tab.value(found).as_u64() > Some(20), "{theme}: sending has another colour in the legend");
    }
    // A network brings its parameters; one that is named without it is not lost.
    for (address, settings) in
        [("net=cm5-1993", "cm5-1993 6000"), ("L=9000", "own 9000"), ("net=threads", "threads 3700")]
    {
        tab.value(&format!("location.hash = '#barrier-skew?{address}'"));
        tab.until(&format!("`${{page.settings.net}} ${{page.settings.L}}` === '{settings}' && {WHOLE}"));
    }
    // A median of 20 draws is the mean of the 10th and the 11th.
    tab.open(&format!("{index}#noise?ranks=4&calls=2"));
    tab.until(WHOLE);
    let middles = "(() => { const all = [...page.answers.short.at(-1).finish_per_realisation_ps].sort((a, b) => a - b);
        return page.shown.numbers[2][2].includes(`median ${Number(((all[9] + all[10]) / 2e6).toPrecision(4))} µs`); })()";
    assert_eq!(tab.value(middles), true, "{}", tab.value("page.shown.numbers[2]"));
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn saved_scenarios_run() {
    let folder = tempfile::tempdir().unwrap();
    for more in [
        r#""method":"loop","calls":4,"samples":3,"set":"alpha=100us,beta=0ns/B","send_rule":"busy","algorithm":"linear""#,
        r#""method":"window","samples":3,"set":"alps-2025","algorithm":"binomial","clocks":"largest-offset=1ms,read-cost=20ns""#,
        r#""method":"barrier-loop","barrier":"tree","set":"cm5-1993","algorithm":"chain","root":2,"detour":["rank=1,at=1us,for=5us"]"#,
        r#""method":"barrier-loop","barrier":"recursive-doubling","calls":3,"samples":1,"set":"alps-2025","algorithm":"binomial","delay":"auto""#,
    ] {
        let query = format!(r#"{{"operation":"bcast","ranks":4,"bytes":8,{more}}}"#);
        let query: lessons::Query = serde_json::from_str(&query).unwrap();
        let scenario = query.scenario(&query.simulation().unwrap()).expect("it has a method");
        std::fs::write(folder.path().join("saved.toml"), &scenario).unwrap();
        let done = Running::start(parallax(&folder).args(["run", "saved.toml", "--quiet", "--out", "out"])).finish();
        assert_eq!(done.code, 0, "{scenario}\n{}", done.stderr);
        let answer = query.answer_json().unwrap();
        let reported = answer["reported_us"].as_f64().unwrap();
        assert!(reported > 0.0, "{answer}");
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

#[test]
fn pages_are_made_of_a_module_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("no.wasm"), b"text").unwrap();
    let done = finish(parallax(&folder).args(["lesson", "export", "pages", "--simulator", "no.wasm"]));
    assert_eq!((done.code, done.stderr.lines().count()), (2, 1), "{}", done.stderr);
    assert!(done.stderr.contains("no WebAssembly module; scripts/lessons makes one"), "{}", done.stderr);
    assert!(!folder.path().join("pages").exists());
}
