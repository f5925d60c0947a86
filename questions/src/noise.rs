//! Noise in the words of users.

/// Returns the noise source of one detour, from `rank=3,at=4us,for=10us`.
///
/// # Errors
///
/// Fails if no rank is named: a source without one acts on all ranks.
pub fn detour(text: &str) -> Result<String, String> {
    let names_rank = |part: &str| part.trim_start().starts_with("rank=");
    if !text.split(',').any(names_rank) {
        return Err(format!("expected the rank, when and how long, like rank=3,at=4us,for=10us, found '{text}'"));
    }
    let settings = text.split(',').map(|part| part.trim().replacen("rank=", "ranks=", 1));
    Ok(format!("detour:{}", settings.collect::<Vec<_>>().join(",")))
}
