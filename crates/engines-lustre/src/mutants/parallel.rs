//! A parallel map whose result does not depend on the number of threads.

/// Maps items on so many threads; the results are in the order of the items.
pub fn parallel_map<T: Sync, A: Send, E: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<A, E> + Sync,
) -> Result<Vec<A>, E> {
    let portion = items.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = items
            .chunks(portion)
            .map(|items| scope.spawn(move || items.iter().map(work).collect::<Result<Vec<_>, E>>()))
            .collect();
        let mut answers = Vec::with_capacity(items.len());
        for worker in workers {
            answers.extend(worker.join().expect("invariant: provers do not panic")?);
        }
        Ok(answers)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_from_any_number_of_threads_and_an_error_is_the_first_one() {
        let items: Vec<usize> = (0..10).collect();
        for threads in 0..12 {
            let doubled = parallel_map(&items, threads, |item| Ok::<_, usize>(2 * item));
            assert_eq!(doubled, Ok(items.iter().map(|item| 2 * item).collect()));
            let odd = |item: &usize| if item.is_multiple_of(2) { Ok(()) } else { Err(*item) };
            assert_eq!(parallel_map(&items, threads, odd), Err(1));
        }
    }
}
