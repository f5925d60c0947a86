use super::*;
use crate::text;

fn problems(text: &str) -> Vec<String> {
    check(&text::read("", text.as_bytes()).unwrap()).iter().map(Problem::to_string).collect()
}

#[test]
fn a_sound_schedule_has_no_problems() {
    let text = "num_ranks 2\nrank 0 {\na: send 5b to 1\nb: recv 6b from -1\nb requires a\n}\nrank 1 {\nrecv 5b from 0\nsend 6b to 0 tag 4\n}";
    assert_eq!(problems(&text.replace("-1", "-1 tag -1")), Vec::<String>::new());
}

#[test]
fn what_waits_for_itself() {
    let found = problems("num_ranks 1\nrank 0 {\na: calc 7\na irequires a\n}");
    assert_eq!(found, ["rank 0 line 3 (calc 7) waits for itself"]);
}

#[test]
fn a_circle_names_its_operations_and_not_those_behind_it() {
    let found = problems(
        "num_ranks 2\nrank 0 {}\nrank 1 {\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\ne: calc 5\n\
         b requires a\nb requires c\nc irequires d\nd requires b\ne requires d\n}",
    );
    let circle = "rank 1: 3 wait for each other in a circle: line 5 (calc 2) → line 6 (calc 3) → line 7 (calc 4) → line 5 (calc 2)";
    assert_eq!(found, [circle]);
}

#[test]
fn long_circles_are_cut_short_and_several_are_all_found() {
    let mut text = "num_ranks 1\nrank 0 {\nx: calc 1\nx requires x\n".to_owned();
    (0..100).for_each(|i| text += &format!("l{i}: calc 1\nl{i} requires l{}\n", (i + 1) % 100));
    let found = problems(&(text + "}"));
    assert_eq!(found.len(), 2);
    assert!(
        found[1].starts_with("rank 0: 100 wait for each other") && found[1].contains("→ 92 more →"),
        "{}",
        found[1]
    );
}

#[test]
fn messages_without_partner_are_counted() {
    let found = problems(
        "num_ranks 2\nrank 0 {\nsend 5b to 1 tag 3\nsend 5b to 1 tag 3\nrecv 1b from 1\n}\nrank 1 {\nrecv 5b from 0 tag 3\n}",
    );
    assert_eq!(
        found,
        [
            "rank 1 sends 0 to rank 0 with tag 0, which receives 1; the first left over is rank 0 line 5 (recv 1b from 1)",
            "rank 0 sends 2 to rank 1 with tag 3, which receives 1; the first left over is rank 0 line 4 (send 5b to 1 tag 3)",
        ]
    );
    let found = problems("num_ranks 2\nrank 0 { recv 1b from -1 }\nrank 1 {}");
    assert_eq!(found, ["rank 0 is sent 0 messages and receives 1"]);
}

#[test]
fn ends_that_disagree_about_the_size() {
    let found = problems("num_ranks 2\nrank 0 { send 5b to 1 }\nrank 1 { recv 6b from 0 }");
    assert_eq!(
        found,
        ["rank 0 line 2 (send 5b to 1) meets rank 1 line 3 (recv 6b from 0): they disagree about the size"]
    );
}
