//! Timers.

use super::*;

#[test]
fn a_timer_for_a_name_reads_it_when_it_fires() {
    let mut read = 0;
    each(
        "main() ->
            [spawn(fun() -> catch register(n, self()), receive {timeout, _, x} -> put(got, it), catch unregister(n) after 3 -> catch unregister(n) end end) || _ <- [1, 2]],
            erlang:start_timer(1, n, x), erlang:start_timer(2, n, x).",
        |recorded| {
            for rec in all(recorded, |k| matches!(k, Kind::Rec(_))) {
                let accesses = &recorded.action(rec).accesses;
                assert!(matches!(accesses[..], [a] if matches!(a.resource, Resource::Name(_)) && !a.write && a.by.is_none()));
                // Only its sender, who spawned it, and itself.
                assert!(recorded.causes(rec, None).len() <= 2);
                read += 1;
            }
        },
    );
    assert!(read > often(30), "{read} timers were received");
}

#[test]
fn a_timer_and_a_message_of_one_process_come_in_either_order() {
    let (mut timer, mut direct) = (0, 0);
    each(
        "main() ->
            Me = self(),
            spawn(fun() -> erlang:send_after(1, Me, timer), spin(N0()), Me ! direct end),
            put(first, receive M -> M end),
            receive _ -> ok end.
        N0() -> 1.
        spin(0) -> ok; spin(N) -> spin(N - 1)."
            .replace("N0()", "pause()")
            .replace("pause() -> 1.", "pause() -> 20000.")
            .as_str(),
        |recorded| {
            timer += u32::from(shows(recorded, "first=timer"));
            direct += u32::from(shows(recorded, "first=direct"));
        },
    );
    assert!(timer > 0, "the timer never came first; the message {direct} times");
    let mut early = 0;
    each(
        "main() ->
            Me = self(),
            spawn(fun() -> erlang:send_after(1, Me, timer), Me ! direct end),
            put(first, receive M -> M end),
            receive _ -> ok end.",
        |recorded| early += u32::from(shows(recorded, "first=direct")),
    );
    assert!(early > 0, "the message never came first");
}

/// Timers of two processes that are due at about the same time expire in either order, and a late `cancel_timer` finds the message.
#[test]
fn timers_of_two_processes_that_are_due_together_come_in_either_order() {
    let body = "
        main() ->
            Me = self(),
            spawn(fun() -> receive after 10 -> Me ! child end end),
            T = erlang:send_after(10, Me, timer),
            receive child -> ok end,
            case erlang:cancel_timer(T) of
                false -> receive timer -> late after 0 -> exit(no_message) end;
                _ -> cancelled
            end.
    ";
    let (mut late, mut cancelled) = (0, 0);
    each(body, |recorded| {
        assert!(
            all(recorded, |kind| matches!(kind, Kind::Exit { class: ExitClass::Exit })).is_empty(),
            "{}: cancelled too late, and there is no message",
            recorded.place
        );
        let received = all(recorded, |kind| matches!(kind, Kind::Rec(_))).len();
        late += usize::from(received == 2);
        cancelled += usize::from(received == 1);
    });
    assert!(
        late > often(8) && cancelled > often(8),
        "{late} late, {cancelled} cancelled"
    );
}
