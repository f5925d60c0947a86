//! The files that hosts find, and the variables by which launchers find hosts. They lie in memory and vanish with the
//! lab.

use crate::host::{Host, name};
use std::path::Path;

/// Folder of the lab's files, on every host.
pub(crate) const FOLDER: &str = "/dev/shm/netlab";

/// Returns the network address of host i, counted from 0.
pub(crate) fn address(index: usize) -> String {
    format!("10.213.0.{}", index + 1)
}

/// Returns the hardware address of host i.
pub(crate) fn hardware_address(index: usize) -> [u8; 6] {
    [0x02, 0x70, 0x6c, 0x78, 0x00, index as u8 + 1]
}

/// Returns a hardware address as people write it.
pub(crate) fn written(address: [u8; 6]) -> String {
    address.map(|byte| format!("{byte:02x}")).join(":")
}

/// Returns the file that replaces /etc/hosts.
pub(crate) fn names(hosts: usize) -> String {
    let lines = (0..hosts).map(|index| format!("{} {}\n", address(index), name(index)));
    format!("127.0.0.1 localhost\n{}", lines.collect::<String>())
}

/// Returns the host file of Open MPI.
pub(crate) fn host_file(hosts: usize, slots: u16) -> String {
    (0..hosts).map(|index| format!("{} slots={slots}\n", name(index))).collect()
}

/// Returns the host file of MPICH's Hydra.
pub(crate) fn hydra_host_file(hosts: usize, slots: u16) -> String {
    (0..hosts).map(|index| format!("{}:{slots}\n", name(index))).collect()
}

/// Returns the script that launchers call in place of ssh: `enter HOST COMMAND…`, the command for a shell, options
/// before the host ignored.
pub(crate) fn agent(hosts: &[Host]) -> String {
    let cases = hosts.iter().map(|host| format!("    {}) process={} ;;\n", host.name, host.process));
    format!(
        "#!/bin/sh\n\
         # Runs a command on a host of this lab, as ssh would: enter HOST COMMAND…\n\
         while [ \"${{1#-}}\" != \"$1\" ]; do shift; done\n\
         case $1 in\n{}    *) echo \"enter: no host '$1' in this lab\" >&2; exit 255 ;;\n\
         esac\n\
         shift\n\
         exec nsenter --target \"$process\" --mount --uts --ipc --net --time --wd=\"$PWD\" -- sh -c \"$*\"\n",
        cases.collect::<String>()
    )
}

/// Returns the variables of the command that runs on the first host.
pub(crate) fn variables(hosts: usize, cores: usize) -> Vec<(&'static str, String)> {
    let file = |name: &str| Path::new(FOLDER).join(name).display().to_string();
    vec![
        ("PARALLAX_NETLAB", hosts.to_string()),
        ("PARALLAX_HOSTS", file("hosts")),
        ("PARALLAX_ENTER", file("enter")),
        // The hosts share these: ranks on several of them may still be more than there are.
        ("PARALLAX_CORES", cores.to_string()),
        ("OMPI_ALLOW_RUN_AS_ROOT", "1".to_owned()),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1".to_owned()),
        ("OMPI_MCA_orte_default_hostfile", file("hosts")),
        // Files that a killed launcher leaves there vanish with the host.
        ("OMPI_MCA_orte_tmpdir_base", "/dev/shm".to_owned()),
        ("OMPI_MCA_plm", "rsh".to_owned()),
        ("OMPI_MCA_plm_rsh_agent", file("enter")),
        ("OMPI_MCA_oob_tcp_if_include", "eth0".to_owned()),
        ("OMPI_MCA_pml", "ob1".to_owned()),
        ("OMPI_MCA_btl", "self,vader,tcp".to_owned()),
        ("OMPI_MCA_btl_tcp_if_include", "eth0".to_owned()),
        // Every host would bind its first rank to the same first core of this machine.
        ("OMPI_MCA_hwloc_base_binding_policy", "none".to_owned()),
        ("HYDRA_HOST_FILE", file("hydra-hosts")),
        ("HYDRA_LAUNCHER", "ssh".to_owned()),
        ("HYDRA_LAUNCHER_EXEC", file("enter")),
        ("HYDRA_IFACE", "eth0".to_owned()),
        ("FI_PROVIDER", "tcp".to_owned()),
        ("FI_TCP_IFACE", "eth0".to_owned()),
        ("UCX_TLS", "tcp,self".to_owned()),
        ("UCX_NET_DEVICES", "eth0".to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_every_host() {
        assert_eq!(host_file(2, 3), "node1 slots=3\nnode2 slots=3\n");
        assert_eq!(hydra_host_file(1, 2), "node1:2\n");
        assert_eq!(names(1), "127.0.0.1 localhost\n10.213.0.1 node1\n");
        assert_eq!(written(hardware_address(9)), "02:70:6c:78:00:0a");
    }

    #[test]
    fn the_agent_knows_its_hosts() {
        let text = agent(&[Host { name: "node1".into(), process: 7 }, Host { name: "node2".into(), process: 9 }]);
        assert!(text.contains("node2) process=9 ;;"), "{text}");
    }
}
