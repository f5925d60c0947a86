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
    assert_eq!(found.len(), 1);
    insta::assert_snapshot!(found[0]);
}

#[test]
fn a_circle_names_its_operations_and_not_those_behind_it() {
    let found = problems(
        "num_ranks 2\nrank 0 {}\nrank 1 {\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\ne: calc 5\n\
         b requires a\nb requires c\nc irequires d\nd requires b\ne requires d\n}",
    );
    assert_eq!(found.len(), 1);
    insta::assert_snapshot!(found[0]);
}

#[test]
fn long_circles_are_cut_short_and_several_are_all_found() {
    let mut text = "num_ranks 1\nrank 0 {\nx: calc 1\nx requires x\n".to_owned();
    (0..100).for_each(|i| text += &format!("l{i}: calc 1\nl{i} requires l{}\n", (i + 1) % 100));
    let found = problems(&(text + "}"));
    assert_eq!(found.len(), 2);
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn messages_without_partner_are_counted() {
    let counted = problems(
        "num_ranks 2\nrank 0 {\nsend 5b to 1 tag 3\nsend 5b to 1 tag 3\nrecv 1b from 1\n}\nrank 1 {\nrecv 5b from 0 tag 3\n}",
    );
    let from_any = problems("num_ranks 2\nrank 0 { recv 1b from -1 }\nrank 1 {}");
    assert_eq!((counted.len(), from_any.len()), (2, 1));
    insta::assert_snapshot!([counted, from_any].concat().join("\n"));
}

#[test]
fn ends_that_disagree_about_the_size() {
    let found = problems("num_ranks 2\nrank 0 { send 5b to 1 }\nrank 1 { recv 6b from 0 }");
    assert_eq!(found.len(), 1);
    insta::assert_snapshot!(found[0]);
}
