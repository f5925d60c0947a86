use super::*;

fn counting(bytes: u8) -> Buffer {
    let buffer = Buffer::new(u64::from(bytes), 0);
    buffer.write(Part::range(0, u64::from(bytes)), Then::Store, |room| {
        room.iter_mut().zip(0..).for_each(|(byte, value)| *byte = value);
    });
    buffer
}

fn all(buffer: &Buffer) -> Vec<u8> {
    buffer.read(Part::range(0, buffer.length as u64), <[u8]>::to_vec)
}

#[test]
fn a_pool_goes_around_and_its_buffers_are_apart() {
    let pool = Buffer::pool(6, 7, 3 * 2 * PAGE as u64);
    assert!(pool.keep(State::Pool));
    let first = |value| pool.write(Part::range(0, 1), Then::Store, |room| room[0] = value);
    let read = || pool.read(Part::range(0, 1), |data| data[0]);
    first(1);
    pool.with_beside(1, |room| room[0] = 9);
    pool.ready();
    assert_eq!(read(), 7, "another buffer");
    assert_eq!(pool.with_beside(1, |room| room[0]), 7, "and another one beside it");
    first(2);
    pool.ready();
    pool.ready();
    assert_eq!((read(), pool.with_beside(1, |room| room[0])), (1, 9), "the third is followed by the first");
}

#[test]
fn a_touched_buffer_is_rewritten_where_it_is_sent_and_nowhere_else() {
    let buffer = Buffer::new(8, 7);
    assert!(buffer.keep(State::Touched));
    let run = |offset, bytes| Run { place: Place::Buffer, offset, bytes };
    buffer.work_on(&Footprint { sent: vec![run(2, 3)], received: vec![run(6, 2)] });
    buffer.ready();
    let once = all(&buffer);
    assert_eq!((&once[..2], &once[5..]), (&[7, 7][..], &[7, 7, 7][..]));
    assert!(once[2..5].iter().all(|byte| *byte != 7));
    buffer.ready();
    assert_ne!(all(&buffer), once, "by another value each time");
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn a_flushed_buffer_holds_what_it_held() {
    let buffer = counting(200);
    assert!(buffer.keep(State::Cold));
    let beside = Run { place: Place::Beside, offset: 0, bytes: 200 };
    buffer.work_on(&Footprint { sent: vec![Run { place: Place::Buffer, ..beside }], received: vec![beside] });
    let before = all(&buffer);
    buffer.ready();
    assert_eq!(all(&buffer), before);
}

#[test]
fn a_buffer_begins_at_a_page_or_a_byte_behind_it() {
    for buffer in [Buffer::new(6, 7), Buffer::pool(6, 7, 3 * 2 * PAGE as u64), Buffer::new(PAGE as u64, 7)] {
        let place = || buffer.run(0, 6).cast::<u8>().addr() % PAGE;
        let beside = || buffer.beside(6).cast::<u8>().addr() % PAGE;
        assert_eq!((place(), beside()), (0, 0));
        buffer.keep(State::Misaligned);
        assert_eq!((place(), beside()), (1, 1));
        buffer.next();
        assert_eq!(place(), 1, "every buffer of a pool");
        buffer.keep(State::Same);
        assert_eq!(place(), 0);
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn nothing_is_lent_from_the_next_buffer_of_a_pool() {
    Buffer::pool(6, 7, 3 * 4096).run(5, 2);
}

#[test]
fn parts_are_stored_combined_and_exchanged() {
    let buffer = Buffer::new(6, 200);
    let part = Part::range;
    buffer.write(part(0, 2), Then::Store, |room| room.copy_from_slice(&[1, 2]));
    buffer.write(part(1, 2), Then::Combine, |room| room.copy_from_slice(&[10, 100]));
    buffer.exchange(part(0, 2), part(4, 2), Then::Store, |sent, room| room.copy_from_slice(sent));
    assert_eq!(all(&buffer), [1, 12, 44, 200, 1, 12]);
    buffer.exchange(part(0, 2), part(1, 2), Then::Store, |sent, room| room.copy_from_slice(sent));
    assert_eq!(all(&buffer), [1, 1, 12, 200, 1, 12], "overlapping parts: what is sent is what was there");
    buffer.exchange(part(0, 2), part(0, 2), Then::Combine, |sent, room| room.copy_from_slice(sent));
    assert_eq!(all(&buffer), [2, 2, 12, 200, 1, 12]);
}

#[test]
fn scattered_parts_travel_packed() {
    // Of the blocks of two bytes from byte 1 on: those with bit 0 set, numbers 1 and 3.
    let odd = Part::with_bit(1, 2, 4, 0);
    let buffer = counting(10);
    assert_eq!(buffer.read(odd, <[u8]>::to_vec), [3, 4, 7, 8]);
    buffer.write(odd, Then::Store, |room| room.copy_from_slice(&[40, 41, 42, 43]));
    assert_eq!(all(&buffer), [0, 1, 2, 40, 41, 5, 6, 42, 43, 9]);
    buffer.write(odd, Then::Combine, |room| room.copy_from_slice(&[1, 1, 1, 1]));
    assert_eq!(all(&buffer), [0, 1, 2, 41, 42, 5, 6, 43, 44, 9]);
    let second = Part::with_bit(1, 2, 4, 1);
    buffer.exchange(odd, second, Then::Store, |sent, room| room.copy_from_slice(sent));
    assert_eq!(all(&buffer), [0, 1, 2, 41, 42, 41, 42, 43, 44, 9]);
}

#[test]
fn moves_within_the_buffer_may_overlap_and_be_scattered() {
    let buffer = counting(8);
    buffer.local(Part::range(0, 6), Part::range(2, 6), Then::Store);
    assert_eq!(all(&buffer), [0, 1, 0, 1, 2, 3, 4, 5]);
    buffer.local(Part::range(0, 3), Part::range(1, 3), Then::Combine);
    assert_eq!(all(&buffer), [0, 1, 1, 1, 2, 3, 4, 5], "read whole before anything is written");
    buffer.local(Part::range(4, 2), Part::range(6, 2), Then::Combine);
    assert_eq!(all(&buffer), [0, 1, 1, 1, 2, 3, 6, 8]);
    buffer.local(Part::range(6, 2), Part::with_bit(0, 1, 4, 0), Then::Store);
    assert_eq!(all(&buffer), [0, 6, 1, 8, 2, 3, 6, 8]);
    buffer.local(Part::with_bit(0, 1, 4, 0), Part::range(0, 2), Then::Combine);
    assert_eq!(all(&buffer), [6, 14, 1, 8, 2, 3, 6, 8]);
}

#[test]
fn foreign_memory_is_touched_where_it_lies_and_nothing_else_is() {
    let mut memory = [7u8; 12];
    let received = [9u8; 4];
    let sent = &raw mut memory[4..8];
    // SAFETY: both arrays outlive the buffer, and are looked at only after it was used.
    let buffer = unsafe { Buffer::foreign(sent, (&raw const received[..]).cast_mut()) };
    assert!(!buffer.keep(State::Pool) && !buffer.keep(State::Misaligned), "it lies where it lies");
    assert!(buffer.keep(State::Touched));
    buffer
        .work_on(&Footprint { sent: vec![Run { place: Place::Buffer, offset: 0, bytes: 100 }], received: Vec::new() });
    buffer.ready();
    drop(buffer);
    assert_eq!((&memory[..4], &memory[8..]), (&[7; 4][..], &[7; 4][..]));
    assert!(memory[4..8].iter().all(|byte| *byte != 7));
    assert_eq!(received, [9; 4], "what is received is only read");
}

/// Page faults of this thread that needed no disk.
#[cfg(target_os = "linux")]
fn faults() -> i64 {
    // SAFETY: the call fills in what it is given; rusage is made of numbers, of which 0 is one.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage), 0);
        usage.ru_minflt
    }
}

#[cfg(target_os = "linux")]
#[test]
fn zeros_have_memory_of_their_own_like_other_bytes() {
    for fill in [0, 1] {
        let pages = 64;
        let buffer = Buffer::new(pages * PAGE as u64, fill);
        let before = faults();
        buffer.write(Part::range(0, pages * PAGE as u64), Then::Store, |room| {
            for page in room.chunks_mut(PAGE) {
                page[0] = 7;
            }
        });
        let found = faults() - before;
        assert!(found < pages as i64 / 4, "{found} of {pages} pages of {fill}s were not there");
    }
}
