//! What the machine gives this process, as Linux tells it; elsewhere nothing is known, and only
//! explicit limits hold.

use std::fs::read_to_string;

const PAGE: u64 = 4096;

/// Memory of this process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Address space.
    pub virtual_bytes: u64,
    pub resident: u64,
}

pub(crate) fn usage() -> Usage {
    let statm = read_to_string("/proc/self/statm").unwrap_or_default();
    let mut pages = statm.split_whitespace().map(|pages| pages.parse::<u64>().unwrap_or(0));
    let mut bytes = || pages.next().unwrap_or(0) * PAGE;
    Usage { virtual_bytes: bytes(), resident: bytes() }
}

/// The most memory that this process ever had.
pub(crate) fn peak() -> u64 {
    kilobytes("/proc/self/status", "VmHWM:").unwrap_or(0)
}

/// The limit on address space, `ulimit -v`.
pub(crate) fn address_space() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How much more this process can get before the machine or its container is out of memory.
pub(crate) fn available() -> u64 {
    let machine = kilobytes("/proc/meminfo", "MemAvailable:");
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = groups.lines().filter_map(group_available);
    let space = address_space().map(|limit| limit.saturating_sub(usage().virtual_bytes));
    groups.chain(machine).chain(space).min().unwrap_or(u64::MAX)
}

fn kilobytes(file: &str, field: &str) -> Option<u64> {
    let text = read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// A line of /proc/self/cgroup: `0::/path` (version 2) or `4:memory:/path` (version 1).
fn group_available(line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    match controllers {
        "" => least("/sys/fs/cgroup", path, "memory.max", "memory.current"),
        "memory" => {
            let (limit, used) = ("memory.limit_in_bytes", "memory.usage_in_bytes");
            least("/sys/fs/cgroup/memory", path, limit, used)
        }
        _ => None,
    }
}

/// A group is bounded by all the groups around it. In a container the path may be that of the
/// host: what cannot be read bounds nothing, and the mount point itself is looked at too.
fn least(mount: &str, path: &str, limit: &str, used: &str) -> Option<u64> {
    let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
    let groups = ends.map(|end| format!("{mount}{}", &path[..end]));
    groups.filter_map(|group| left_in(&group, limit, used)).min()
}

fn left_in(group: &str, limit: &str, used: &str) -> Option<u64> {
    let number = |file: &str| -> Option<u64> {
        read_to_string(format!("{group}/{file}")).ok()?.trim().parse().ok()
    };
    let cache = read_to_string(format!("{group}/memory.stat")).unwrap_or_default();
    let cache = cache.lines().find_map(|line| line.strip_prefix("inactive_file "));
    // Files that the kernel keeps in memory make room when it is needed.
    let cache = cache.and_then(|bytes| bytes.parse::<u64>().ok()).unwrap_or(0);
    Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(cache)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_memory() {
        let usage = usage();
        assert!(usage.resident > 0 && usage.virtual_bytes >= usage.resident);
        assert!(peak() >= usage.resident / 2);
        assert!(available() > 0);
    }
}
