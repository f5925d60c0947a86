use super::*;

fn counting(bytes: u8) -> Buffer {
    let buffer = Buffer::new(u64::from(bytes), 0);
    buffer.store(&(0..bytes).collect::<Vec<u8>>());
    buffer
}

fn all(buffer: &Buffer) -> Vec<u8> {
    buffer.content(buffer.length as u64)
}

/// These bytes arrive.
fn arrive(buffer: &Buffer, part: Part, then: Then, bytes: &[u8]) {
    // SAFETY: the room is lent for this.
    buffer.write(part, then, |room| unsafe { &mut *room }.copy_from_slice(bytes));
}

/// What is sent.
fn sent(buffer: &Buffer, part: Part) -> Vec<u8> {
    // SAFETY: the part is lent for this.
    buffer.read(part, |data| unsafe { &*data }.to_vec())
}

/// A rank sends a part to itself.
fn exchange(buffer: &Buffer, sent: Part, received: Part, then: Then) {
    // SAFETY: both are lent for this, and lie apart.
    buffer.exchange(sent, received, then, |data, room| unsafe { (*room).copy_from_slice(&*data) });
}

#[test]
fn a_pool_goes_around_and_its_buffers_are_apart() {
    let pool = Buffer::pool(6, 7, 3 * 2 * PAGE as u64);
    assert!(pool.keep(State::Pool));
    let first = |value| pool.store(&[value]);
    let (read, beside) = (|| pool.content(1)[0], || pool.content_beside(1)[0]);
    first(1);
    pool.store_beside(&[9]);
    pool.ready();
    assert_eq!(read(), 7, "another buffer");
    assert_eq!(beside(), 7, "and another one beside it");
    first(2);
    pool.ready();
    pool.ready();
    assert_eq!((read(), beside()), (1, 9), "the third is followed by the first");
}

#[test]
fn a_touched_buffer_is_rewritten_where_it_is_sent_and_nowhere_else() {
    let buffer = Buffer::new(8, 7);
    assert!(buffer.keep(State::Touched));
    let run = |offset, bytes| ByteRun { place: MemoryRegion::Buffer, offset, bytes };
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
    let beside = ByteRun { place: MemoryRegion::Beside, offset: 0, bytes: 200 };
    buffer
        .work_on(&Footprint { sent: vec![ByteRun { place: MemoryRegion::Buffer, ..beside }], received: vec![beside] });
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
    arrive(&buffer, part(0, 2), Then::Store, &[1, 2]);
    arrive(&buffer, part(1, 2), Then::Combine, &[10, 100]);
    exchange(&buffer, part(0, 2), part(4, 2), Then::Store);
    assert_eq!(all(&buffer), [1, 12, 44, 200, 1, 12]);
    exchange(&buffer, part(0, 2), part(1, 2), Then::Store);
    assert_eq!(all(&buffer), [1, 1, 12, 200, 1, 12], "overlapping parts: what is sent is what was there");
    exchange(&buffer, part(0, 2), part(0, 2), Then::Combine);
    assert_eq!(all(&buffer), [2, 2, 12, 200, 1, 12]);
}

#[test]
fn scattered_parts_travel_packed() {
    // Of the blocks of two bytes from byte 1 on: those with bit 0 set, numbers 1 and 3.
    let odd = Part::with_bit(1, 2, 4, 0);
    let buffer = counting(10);
    assert_eq!(sent(&buffer, odd), [3, 4, 7, 8]);
    arrive(&buffer, odd, Then::Store, &[40, 41, 42, 43]);
    assert_eq!(all(&buffer), [0, 1, 2, 40, 41, 5, 6, 42, 43, 9]);
    arrive(&buffer, odd, Then::Combine, &[1, 1, 1, 1]);
    assert_eq!(all(&buffer), [0, 1, 2, 41, 42, 5, 6, 43, 44, 9]);
    let second = Part::with_bit(1, 2, 4, 1);
    exchange(&buffer, odd, second, Then::Store);
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
    buffer.work_on(&Footprint {
        sent: vec![ByteRun { place: MemoryRegion::Buffer, offset: 0, bytes: 100 }],
        received: Vec::new(),
    });
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
        for page in 0..pages {
            let first = buffer.run(page * PAGE as u64, 1);
            // SAFETY: the byte is the buffer's, and nobody else uses it.
            unsafe { (*first)[0] = 7 };
        }
        let found = faults() - before;
        assert!(found < pages as i64 / 4, "{found} of {pages} pages of {fill}s were not there");
    }
}
