//! Links between hosts: a bridge, or a relay where messages are to take time, with token buckets for the rate.

use crate::files::{address, hardware_address, written};
use crate::host::{Host, in_network};
use crate::options::Rate;
use crate::relay::Tap;
use std::io::Write;
use std::process::{Command, Stdio};

/// Number of bytes that may wait for a link: nothing is lost before senders notice.
const QUEUE_BYTES: u64 = 16 << 20;

/// Joins hosts by a bridge in this process's network, which no other process sees.
///
/// # Errors
///
/// Says what the kernel refused.
pub(crate) fn bridge(hosts: &[Host], rate: Option<Rate>) -> Result<(), String> {
    let mut lines = vec!["link set lo up".to_owned(), "link add switch type bridge".to_owned()];
    lines.push("link set switch up".to_owned());
    for (index, host) in hosts.iter().enumerate() {
        let port = format!("port{}", index + 1);
        lines.push(format!("link add {port} type veth peer name eth0 netns {}", host.process));
        lines.push(format!("link set {port} master switch up"));
    }
    run("ip", &lines)?;
    if rate.is_some() {
        let ports: Vec<_> = (1..=hosts.len()).map(|number| format!("port{number}")).collect();
        limit(rate, &ports)?;
    }
    hosts.iter().enumerate().try_for_each(|(index, host)| in_network(host, || configure(index, hosts.len(), rate)))
}

/// Gives every host a link whose other end is in our hands.
///
/// # Errors
///
/// Says what the kernel refused, mostly that there is no /dev/net/tun.
pub(crate) fn taps(hosts: &[Host], rate: Option<Rate>) -> Result<Vec<Tap>, String> {
    let tap = |(index, host): (usize, &Host)| {
        in_network(host, || {
            let tap = Tap::make("eth0").map_err(|error| format!("cannot make a link through /dev/net/tun: {error}"))?;
            configure(index, hosts.len(), rate)?;
            Ok(tap)
        })
    };
    hosts.iter().enumerate().map(tap).collect()
}

/// Sets addresses, names of neighbours and the rate, within host i.
fn configure(index: usize, hosts: usize, rate: Option<Rate>) -> Result<(), String> {
    let mut lines = vec![
        "link set lo up".to_owned(),
        format!("link set eth0 address {} txqueuelen 10000", written(hardware_address(index))),
        format!("address add {}/24 dev eth0", address(index)),
        "link set eth0 up".to_owned(),
    ];
    // Asking for them would make first messages slow.
    for other in (0..hosts).filter(|&other| other != index) {
        let hardware = written(hardware_address(other));
        lines.push(format!("neigh replace {} lladdr {hardware} dev eth0 nud permanent", address(other)));
    }
    run("ip", &lines)?;
    limit(rate, &["eth0".to_owned()])
}

fn limit(rate: Option<Rate>, devices: &[String]) -> Result<(), String> {
    let Some(rate) = rate else { return Ok(()) };
    let bucket = |device: &String| {
        let (bits, burst) = (rate.0, rate.burst_bytes());
        format!("qdisc add dev {device} root tbf rate {bits}bit burst {burst} limit {QUEUE_BYTES}")
    };
    run("tc", &devices.iter().map(bucket).collect::<Vec<_>>())
}

/// Makes `ip` or `tc` carry out lines.
fn run(program: &str, lines: &[String]) -> Result<(), String> {
    let failed = |why: String| format!("{program}: {why} (Debian's package iproute2 has it)");
    let mut command = Command::new(program);
    command.args(["-batch", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let text = lines.join("\n") + "\n";
    let mut input = child.stdin.take().expect("asked for");
    input.write_all(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    drop(input);
    let done = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if done.status.success() {
        return Ok(());
    }
    Err(format!("{program} refused: {}", String::from_utf8_lossy(&done.stderr).trim()))
}
