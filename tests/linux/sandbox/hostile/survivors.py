"""A tree that does not want to end: ignores INT and TERM, leaves its session, forgets its environment, and takes over from parents that are killed."""
import ctypes
import os
import signal
import sys
import time

notes = sys.argv[1]


def note(what):
    with open(notes, 'a') as file:
        file.write(f'{what} {os.getpid()}\n')


def ignore():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def stay(what):
    ignore()
    note(what)
    while True:
        time.sleep(60)


def daemonize(what):
    """The classic: fork, setsid, fork."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            stay(what)
        os._exit(0)


def without_environment(what):
    """A fresh program without any variable, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            code = f"import signal,time,os\nfor n in (2,15): signal.signal(n, 1)\nopen({notes!r},'a').write('{what} %d\\n' % os.getpid())\ntime.sleep(600)"
            os.execve('/usr/bin/python3', ['python3', '-c', code], {})
        os._exit(0)


def as_sibling(what):
    """A child whose parent is the parent of this process."""
    libc = ctypes.CDLL(None, use_errno=True)
    clone_parent = 0x8000
    if libc.syscall(56, ctypes.c_long(clone_parent | signal.SIGCHLD), 0, 0, 0, 0) == 0:
        os.setsid()
        stay(what)


def hydra(what):
    """Two that watch each other and come back."""
    if os.fork() == 0:
        os.setsid()
        ignore()
        end = time.monotonic() + 600
        note(what)
        while time.monotonic() < end:
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                # Lives until the other is gone, and then takes its place.
                os.close(writing)
                os.read(reading, 1)
                note(what)
                continue
            os.close(reading)
            os.waitpid(child, 0)
        os._exit(0)


def stopped(what):
    if os.fork() == 0:
        note(what)
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(600)


ignore()
daemonize('daemon')
without_environment('nameless')
as_sibling('sibling')
hydra('hydra')
stopped('stopped')
note('leader')
if sys.argv[2] == 'leave':
    time.sleep(0.5)
    sys.exit(0)
while True:
    time.sleep(60)
