"""Runs programs inside one side for the instrument outside: one JSON request a line comes in, one answer a line goes out.

It is the only program of the side that the instrument starts itself; when its standard input ends, it exits, and the namespaces end with it.
"""

import json
import os
import signal
import subprocess
import sys
import threading

writing = threading.Lock()
started = {}


def answer(request, **result):
    with writing:
        sys.stdout.write(json.dumps({"id": request["id"], **result}) + "\n")
        sys.stdout.flush()


def contents(descriptor):
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return file.read().decode("utf-8", "replace")


def run(request):
    """Runs a program to its end. Its output goes to memory files: a child that outlives it cannot hold up the answer, as with pipes."""
    out, err = os.memfd_create("out"), os.memfd_create("err")
    try:
        process = subprocess.Popen(
            request["argv"], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=os.environ["HOME"], start_new_session=True
        )
        try:
            code = process.wait(request["timeoutMs"] / 1000)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = -1
    except OSError as error:
        os.close(out)
        os.close(err)
        answer(request, code=127, stdout="", stderr=str(error))
        return
    answer(request, code=code, stdout=contents(out), stderr=contents(err))


def start(request):
    """Starts a program that stays; its output goes to a file in the runtime folder."""
    log = open(os.path.join(os.environ["XDG_RUNTIME_DIR"], request["log"]), "ab")
    try:
        process = subprocess.Popen(
            request["argv"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=os.environ["HOME"], start_new_session=True
        )
    except OSError as error:
        answer(request, pid=0, error=str(error))
        return
    finally:
        log.close()
    started[process.pid] = process
    answer(request, pid=process.pid)


def alive(request):
    process = started.get(request["pid"])
    answer(request, alive=process is not None and process.poll() is None)


for line in sys.stdin:
    received = json.loads(line)
    if received["op"] == "run":
        threading.Thread(target=run, args=(received,), daemon=True).start()
    elif received["op"] == "start":
        start(received)
    else:
        alive(received)
