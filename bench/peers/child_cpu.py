"""What commands cost: processor time as the kernel accounts it to each child (wait4), and wall time.

Usage: child_cpu.py ROUNDS COMMANDS. COMMANDS is a JSON list of argument lists. Each round runs every command once, with its output read from a
pipe, as callers do. An object {"command", "says"} in the list is a server: it gets a text on standard input; its wall time ends with the first
line of its answer, and its processor time when it exits because its input has ended. Prints one JSON object.
"""

import json
import os
import sys
import time


def measure(command, says):
    reading, writing = os.pipe()
    source, told = (os.open(os.devnull, os.O_RDWR), None) if says is None else os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, source, 0),
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_CLOSE, reading),
    ]
    if told is not None:
        actions.append((os.POSIX_SPAWN_CLOSE, told))
    begin = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    os.close(writing)
    os.close(source)
    answered = None
    if told is not None:
        os.write(told, says.encode())
        while piece := os.read(reading, 1 << 20):
            if b"\n" in piece:
                answered = time.perf_counter() - begin
                break
        os.close(told)
        if answered is None:
            raise SystemExit(f"{' '.join(command)} did not answer")
    while os.read(reading, 1 << 20):
        pass
    os.close(reading)
    _, status, usage = os.wait4(pid, 0)
    wall = answered or time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return (usage.ru_utime + usage.ru_stime) * 1000, wall * 1000


def main():
    commands = json.loads(sys.argv[2])
    samples = [{"cpu_ms": [], "wall_ms": []} for _ in commands]
    for _ in range(int(sys.argv[1])):
        for command, sample in zip(commands, samples):
            is_server = isinstance(command, dict)
            cpu, wall = measure(command["command"], command["says"]) if is_server else measure(command, None)
            sample["cpu_ms"].append(cpu)
            sample["wall_ms"].append(wall)
    print(json.dumps({"samples": samples}))


main()
