"""Types into a program on a terminal, as a person would. Reads {argv, environment, cwd, steps} as JSON from standard input, where a step is
{keys, until?, grows?}; prints what the terminal showed after each step as a JSON list. A step ends once `until` has been shown; without `until`
it ends after a silence, which counts only after the file `grows` has grown, if one is named."""

import json
import os
import pty
import select
import signal
import sys
import time

SILENCE_S = 0.3
LIMIT_S = 15

request = json.load(sys.stdin)
child, terminal = pty.fork()
if child == 0:
    os.chdir(request["cwd"])
    os.execvpe(request["argv"][0], request["argv"], request["environment"])


def size(path):
    return os.path.getsize(path) if path is not None and os.path.exists(path) else 0


def read(until, grows, before):
    shown = b""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        is_waiting = until is not None or (grows is not None and size(grows) == before)
        wait = 0.05 if is_waiting else SILENCE_S
        if select.select([terminal], [], [], wait)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        elif not is_waiting:
            break
        if until is not None and until.encode() in shown:
            break
    return shown.decode(errors="replace")


shown = []
for step in request["steps"]:
    before = size(step.get("grows"))
    os.write(terminal, step["keys"].encode())
    shown.append(read(step.get("until"), step.get("grows"), before))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
json.dump(shown, sys.stdout)
