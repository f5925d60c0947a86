//! Pictures as self-contained SVG on white cards, laid out as their [`Paper`] sets them: the canvas, the layout of
//! texts, and the pictures that several results share.

pub mod axis;
pub mod canvas;
mod drawing;
pub mod forest;
mod heat_map;
pub mod layout;
pub mod numbers;
pub mod over;
mod pairs;
mod paper;
pub mod per_rank;
mod print;
#[cfg(test)]
mod room_tests;
pub mod scatter;
pub mod strips;
pub mod svg;
pub mod waterfall;

pub use drawing::Drawing;
pub use heat_map::heat_map;
pub use pairs::Pairs;
pub use paper::{Form, Paper};
pub use print::printed;
