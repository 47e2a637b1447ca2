"""Runs programs inside one side for the instrument outside: one JSON request a line comes in, one answer a line goes out.

It is the only program of the side that the instrument starts itself; when its standard input ends, it exits, and the namespaces end with it.
A Python script is run in a fork of this process, which has libatspi loaded and has not begun to use it: loading it takes longer than most scripts.
"""

import json
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402, F401

POLL_S = 0.005
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


def script(request):
    """Runs a Python script to its end, in a process of its own."""
    out, err = os.memfd_create("out"), os.memfd_create("err")
    pid = os.fork()
    if pid == 0:
        run_script(request["argv"], out, err)
    end = time.monotonic() + request["timeoutMs"] / 1000
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            break
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            code = -1
            break
        time.sleep(POLL_S)
    answer(request, code=code, stdout=contents(out), stderr=contents(err))


def run_script(argv, out, err):
    """Never returns: the fork ends without what this process does at its end."""
    code = 1
    try:
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        sys.argv = argv
        sys.path[0] = os.path.dirname(argv[0])
        runpy.run_path(argv[0], run_name="__main__")
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


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


RUNS = {"run": run, "script": script}

for line in sys.stdin:
    received = json.loads(line)
    if received["op"] in RUNS:
        threading.Thread(target=RUNS[received["op"]], args=(received,), daemon=True).start()
    elif received["op"] == "start":
        start(received)
    else:
        alive(received)
