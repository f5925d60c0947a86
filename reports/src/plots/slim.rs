//! Makes the drawing library's SVG shorter without changing what it shows: a page holds dozens of pictures.

/// Attributes that say what holds anyway. The font is the whole picture's, see [`slim`].
const DEFAULTS: [&str; 5] = [
    " opacity=\"1\"",
    " stroke=\"none\"",
    " stroke-width=\"1\"",
    " text-anchor=\"start\"",
    " font-family=\"sans-serif\"",
];

/// Leaves defaults out; draws lines of one look that follow each other as one path, an area and its
/// outline as one shape, and says the look of texts that follow each other once.
pub(super) fn slim(svg: &str) -> String {
    let mut slim: Vec<String> = Vec::new();
    for line in svg.lines() {
        let short = if line.starts_with('<') { shorter(line) } else { line.to_owned() };
        let Some(last) = slim.last_mut() else {
            slim.push(short.replacen("<svg", "<svg font-family=\"sans-serif\"", 1));
            continue;
        };
        // A text stands between two tags, on lines of their own.
        if last.starts_with("<text") && !last.ends_with("</text>") {
            last.push_str(&short);
        } else {
            push(&mut slim, short);
        }
    }
    grouped(slim).join("\n") + "\n"
}

/// Appends an element, joined with those before it where that paints the same.
fn push(all: &mut Vec<String>, mut element: String) {
    while let Some(joined) = all.last().and_then(|last| joined(last, &element)) {
        all.pop();
        element = joined;
    }
    all.push(element);
}

fn shorter(tag: &str) -> String {
    let mut tag = tag.replace(" \"/>", "\"/>");
    for default in DEFAULTS {
        tag = tag.replace(default, "");
    }
    if let Some((before, rest)) = tag.split_once("font-size=\"")
        && let Some((size, after)) = rest.split_once('"')
        && let Ok(size) = size.parse::<f64>()
    {
        tag = format!("{before}font-size=\"{}\"{after}", (size * 100.0).round() / 100.0);
    }
    tag
}

/// Both elements as one, where that paints the same.
fn joined(first: &str, second: &str) -> Option<String> {
    outlined(first, second).or_else(|| outlined_polygon(first, second)).or_else(|| one_path(first, second))
}

/// An area and its outline.
fn outlined(area: &str, outline: &str) -> Option<String> {
    let (place, look) = area.strip_suffix("/>")?.split_once(" fill=")?;
    let stroke = outline.strip_prefix(place)?.strip_prefix(" fill=\"none\"")?;
    let shape = place.starts_with("<rect ") || place.starts_with("<circle ");
    (shape && !look.contains("stroke")).then(|| format!("{place} fill={look}{stroke}"))
}

/// A polygon and the line around it.
fn outlined_polygon(area: &str, outline: &str) -> Option<String> {
    let (fill, corners) = area.strip_prefix("<polygon")?.strip_suffix("\"/>")?.split_once(" points=\"")?;
    let (stroke, around) =
        outline.strip_prefix("<polyline fill=\"none\"")?.strip_suffix("\"/>")?.split_once(" points=\"")?;
    let back = around.strip_prefix(corners)?.strip_prefix(' ')?;
    let closed = corners.split(' ').next() == Some(back) && !fill.contains("stroke");
    closed.then(|| format!("<polygon{fill}{stroke} points=\"{corners}\"/>"))
}

/// Lines, or areas, of one look. See-through lines then no longer paint twice where they cross.
fn one_path(first: &str, second: &str) -> Option<String> {
    let (look, course) = stretch(second)?;
    if let Some((before, first)) = stretch(first) {
        return (before == look).then(|| format!("<path{look} d=\"{first}{course}\"/>"));
    }
    let path = first.strip_prefix("<path")?.strip_suffix("\"/>")?;
    let (before, _) = path.split_once(" d=\"M")?;
    (before == look).then(|| format!("<path{path}{course}\"/>"))
}

/// Look and course of a line, a polygon or a rectangle.
fn stretch(tag: &str) -> Option<(&str, String)> {
    if let Some(rect) = tag.strip_prefix("<rect ") {
        return course_of_rect(rect);
    }
    let (shape, close) = match tag.strip_prefix("<polyline") {
        Some(line) => (line, ""),
        None => (tag.strip_prefix("<polygon")?, "z"),
    };
    let (look, points) = shape.strip_suffix("\"/>")?.split_once(" points=\"")?;
    Some((look, format!("M{points}{close}")))
}

fn course_of_rect(rect: &str) -> Option<(&str, String)> {
    let mut rest = rect.strip_suffix("/>")?;
    let mut place = [""; 4];
    for (value, name) in place.iter_mut().zip(["x=\"", "y=\"", "width=\"", "height=\""]) {
        (*value, rest) = rest.trim_start().strip_prefix(name)?.split_once('"')?;
    }
    let [x, y, width, height] = place;
    Some((rest, format!("M{x},{y}h{width}v{height}h-{width}z")))
}

/// Texts of one look that follow each other, with the look said once.
fn grouped(lines: Vec<String>) -> Vec<String> {
    let mut all = Vec::new();
    for run in lines.chunk_by(|a, b| look_of_text(a).is_some_and(|look| look_of_text(b) == Some(look))) {
        match look_of_text(&run[0]).filter(|_| run.len() > 1) {
            Some(look) => {
                all.push(format!("<g{look}>"));
                all.extend(run.iter().map(|text| text.replacen(look, "", 1)));
                all.push("</g>".to_owned());
            }
            None => all.extend_from_slice(run),
        }
    }
    all
}

/// What a group can say for its texts: everything after their place.
fn look_of_text(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("<text ")?.split_once(" dy=\"0.5ex\"")?;
    rest.split_once('>').map(|(look, _)| look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_anyway_is_left_out_and_texts_keep_their_words() {
        let svg = "<svg width=\"9\">\n<text x=\"1\" text-anchor=\"start\" font-family=\"sans-serif\" \
                   font-size=\"15.000000000000002\" opacity=\"1\" fill=\"#5C646E\">\nopacity=\"1\" &amp; so\n</text>\n</svg>\n";
        let expected = "<svg font-family=\"sans-serif\" width=\"9\">\n<text x=\"1\" font-size=\"15\" fill=\"#5C646E\">\
                        opacity=\"1\" &amp; so</text>\n</svg>\n";
        assert_eq!(slim(svg), expected);
    }

    #[test]
    fn lines_of_one_look_become_one_path() {
        let line = |hue: &str, points: &str, opacity: &str| {
            format!(
                "<polyline fill=\"none\" opacity=\"{opacity}\" stroke=\"{hue}\" stroke-width=\"2\" points=\"{points} \"/>"
            )
        };
        let svg = [
            "<svg>".to_owned(),
            line("#111111", "1,2 3,4", "1"),
            line("#111111", "5,6 7,8 9,9", "1"),
            line("#111111", "0,0 1,1", "1"),
            line("#222222", "0,0 1,1", "1"),
            line("#222222", "0,0 2,2", "0.5"),
            line("#222222", "0,0 3,3", "0.5"),
            "<polygon opacity=\"1\" fill=\"#222222\" points=\"0,0 3,3 4,4 \"/>".to_owned(),
            "<polygon opacity=\"1\" fill=\"#222222\" points=\"5,5 6,6 7,7 \"/>".to_owned(),
        ];
        let expected = "<svg font-family=\"sans-serif\">
<path fill=\"none\" stroke=\"#111111\" stroke-width=\"2\" d=\"M1,2 3,4M5,6 7,8 9,9M0,0 1,1\"/>
<polyline fill=\"none\" stroke=\"#222222\" stroke-width=\"2\" points=\"0,0 1,1\"/>
<path fill=\"none\" opacity=\"0.5\" stroke=\"#222222\" stroke-width=\"2\" d=\"M0,0 2,2M0,0 3,3\"/>
<path fill=\"#222222\" d=\"M0,0 3,3 4,4zM5,5 6,6 7,7z\"/>
";
        assert_eq!(slim(&svg.join("\n")), expected);
    }

    #[test]
    fn an_area_and_its_own_outline_become_one_rectangle() {
        let area = "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" opacity=\"1\" fill=\"#123456\" stroke=\"none\"/>";
        let outline = area.replace("fill=\"#123456\" stroke=\"none\"", "fill=\"none\" stroke=\"#FFFFFF\"");
        let both = slim(&format!("<svg>\n{area}\n{outline}\n"));
        let expected = "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#123456\" stroke=\"#FFFFFF\"/>\n";
        assert_eq!(both.split_once('\n').expect("lines").1, expected);
        let other = area.replace("x=\"1\"", "x=\"7\"");
        let two = slim(&format!("<svg>\n{area}\n{other}\n"));
        let expected = "<path fill=\"#123456\" d=\"M1,2h3v4h-3zM7,2h3v4h-3z\"/>\n";
        assert_eq!(two.split_once('\n').expect("lines").1, expected);
        let outlined = slim(&format!("<svg>\n{area}\n{outline}\n{other}\n{}\n", outline.replace("x=\"1\"", "x=\"7\"")));
        let expected = "<path fill=\"#123456\" stroke=\"#FFFFFF\" d=\"M1,2h3v4h-3zM7,2h3v4h-3z\"/>\n";
        assert_eq!(outlined.split_once('\n').expect("lines").1, expected);
        let elsewhere = slim(&format!("<svg>\n{area}\n{}\n", outline.replace("x=\"1\"", "x=\"2\"")));
        assert_eq!(elsewhere.lines().count(), 3, "{elsewhere}");
    }

    #[test]
    fn a_polygon_and_the_line_around_it_become_one() {
        let area = "<polygon opacity=\"1\" fill=\"#1\" points=\"1,1 5,1 3,4 \"/>";
        let outline = |points| {
            format!("<polyline fill=\"none\" opacity=\"1\" stroke=\"#2\" stroke-width=\"2\" points=\"{points} \"/>")
        };
        let both = |points| slim(&format!("<svg>\n{area}\n{}\n", outline(points)));
        let expected = "<polygon fill=\"#1\" stroke=\"#2\" stroke-width=\"2\" points=\"1,1 5,1 3,4\"/>\n";
        assert_eq!(both("1,1 5,1 3,4 1,1").split_once('\n').expect("lines").1, expected);
        for open in ["1,1 5,1 3,4", "1,1 5,1 3,4 5,1", "1,1 5,1 3,4 1,1 2,2"] {
            assert_eq!(both(open).lines().count(), 3, "{open}");
        }
    }

    #[test]
    fn texts_of_one_look_share_it_and_keep_their_places() {
        let text = |x: u32, hue: &str, words: &str| {
            format!("<text x=\"{x}\" y=\"9\" dy=\"0.5ex\" font-size=\"15\" fill=\"{hue}\">\n{words}\n</text>\n")
        };
        let svg = ["<svg>\n".to_owned(), text(1, "#1", "a"), text(2, "#1", "b"), text(3, "#2", "c")].concat();
        let expected = "<svg font-family=\"sans-serif\">
<g font-size=\"15\" fill=\"#1\">
<text x=\"1\" y=\"9\" dy=\"0.5ex\">a</text>
<text x=\"2\" y=\"9\" dy=\"0.5ex\">b</text>
</g>
<text x=\"3\" y=\"9\" dy=\"0.5ex\" font-size=\"15\" fill=\"#2\">c</text>
";
        assert_eq!(slim(&svg), expected);
    }
}
