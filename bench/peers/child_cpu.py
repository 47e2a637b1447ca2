"""What commands cost: processor time as the kernel accounts it to each child (wait4), and wall time.

Usage: child_cpu.py ROUNDS COMMANDS. COMMANDS is a JSON list of argument lists; in each round every command runs once, in turn, with its
output read from a pipe, as callers do. Prints one JSON object.
"""

import json
import os
import sys
import time


def measure(command):
    reading, writing = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    actions = [
        (os.POSIX_SPAWN_DUP2, nothing, 0),
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_CLOSE, reading),
    ]
    begin = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    os.close(writing)
    os.close(nothing)
    while os.read(reading, 1 << 20):
        pass
    os.close(reading)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return (usage.ru_utime + usage.ru_stime) * 1000, wall * 1000


def main():
    commands = json.loads(sys.argv[2])
    samples = [{"cpu_ms": [], "wall_ms": []} for _ in commands]
    for _ in range(int(sys.argv[1])):
        for command, sample in zip(commands, samples):
            cpu, wall = measure(command)
            sample["cpu_ms"].append(cpu)
            sample["wall_ms"].append(wall)
    print(json.dumps({"samples": samples}))


main()
