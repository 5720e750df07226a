//! The protocols of `senders.erl` and `server.erl` for two native model checkers, on one core: `beside CHECKER PROTOCOL N` prints how many executions
//! there are.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [checker, protocol, n] = &args[..] else {
        eprintln!("usage: beside traceforge|must-mc senders|server N");
        return ExitCode::from(2);
    };
    let Ok(n) = n.parse() else {
        eprintln!("not a number: {n}");
        return ExitCode::from(2);
    };
    let executions = match (checker.as_str(), protocol.as_str()) {
        ("traceforge", "senders") => traceforge_runs(move || traceforge_senders(n)),
        ("traceforge", "server") => traceforge_runs(move || traceforge_server(n)),
        ("must-mc", "senders") => must_runs(move || must_senders(n)),
        ("must-mc", "server") => must_runs(move || must_server(n)),
        _ => {
            eprintln!("unknown: {checker} {protocol}");
            return ExitCode::from(2);
        }
    };
    println!("{executions}");
    ExitCode::SUCCESS
}

#[derive(Clone, Debug, PartialEq)]
enum Message {
    Number(usize),
    Asks(traceforge::thread::ThreadId),
    Answer,
}

fn traceforge_runs(program: impl Fn() + Send + Sync + 'static) -> usize {
    let config = traceforge::Config::builder()
        .with_cons_type(traceforge::ConsType::Causal)
        .build();
    let stats = traceforge::verify(config, program);
    stats.execs + stats.block
}

/// N processes send a number each to one, which receives all.
fn traceforge_senders(n: usize) {
    let receiver = traceforge::thread::current().id();
    for number in 0..n {
        traceforge::thread::spawn(move || traceforge::send_msg(receiver, Message::Number(number)));
    }
    for _ in 0..n {
        let _: Message = traceforge::recv_msg_block();
    }
}

/// N processes ask a server, which answers each.
fn traceforge_server(n: usize) {
    let server = traceforge::thread::current().id();
    for _ in 0..n {
        traceforge::thread::spawn(move || {
            traceforge::send_msg(server, Message::Asks(traceforge::thread::current().id()));
            let _: Message = traceforge::recv_msg_block();
        });
    }
    for _ in 0..n {
        let message: Message = traceforge::recv_msg_block();
        if let Message::Asks(client) = message {
            traceforge::send_msg(client, Message::Answer);
        }
    }
}

fn must_runs(system: impl Fn() -> must::System + Send + Sync) -> usize {
    let counter = must::CountingObserver::new();
    must::explore(system, &counter, must::Config::default().with_threads(1));
    counter.terminal()
}

fn must_senders(n: usize) -> must::System {
    let mut system = must::System::new();
    system.add(move |own: must::Ctx| async move {
        for _ in 0..n {
            let _ = own.recv(|_| true).await;
        }
    });
    for number in 1..=n {
        system.add(move |own: must::Ctx| async move {
            own.send(0, number.to_string(), must::Model::Cd);
        });
    }
    system
}

fn must_server(n: usize) -> must::System {
    let mut system = must::System::new();
    system.add(move |own: must::Ctx| async move {
        for _ in 0..n {
            let client = own.recv(|_| true).await;
            if let Ok(client) = client.parse() {
                own.send(client, "answer", must::Model::Cd);
            }
        }
    });
    for client in 1..=n {
        system.add(move |own: must::Ctx| async move {
            own.send(0, client.to_string(), must::Model::Cd);
            let _ = own.recv(|_| true).await;
        });
    }
    system
}
