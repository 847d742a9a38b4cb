"""What the numbers were taken on, without naming it."""

import os
import platform
import re

GB = 1024 ** 3


def memory_gb():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GB


def description():
    with open("/proc/cpuinfo") as file:
        cpuinfo = file.read()
    model = re.search(r"^model name\s*: (.*)", cpuinfo, re.M)
    return ", ".join([
        (model.group(1) if model else platform.machine()) +
        (" (virtual machine)" if "hypervisor" in cpuinfo else ""),
        "%d cores" % os.cpu_count(),
        "%.0f GB" % memory_gb(),
        "%s %s" % (platform.system(), platform.release()),
        platform.freedesktop_os_release()["PRETTY_NAME"],
    ])


def settings():
    """The data stays in memory as far as there is any, and nothing waits for a disk.

    Everything runs in one process: parallel workers would measure the planner's choice of them.
    """
    return {
        "shared_buffers": "%dMB" % min(4096, memory_gb() * 1024 / 6),
        "work_mem": "1GB",
        "maintenance_work_mem": "1GB",
        "max_wal_size": "8GB",
        "checkpoint_timeout": "1h",
        "fsync": "off",
        "autovacuum": "off",
        "jit": "off",
        "client_min_messages": "warning",
        "max_parallel_workers_per_gather": "0",
        "max_parallel_maintenance_workers": "0",
        "timezone": "UTC",
    }
