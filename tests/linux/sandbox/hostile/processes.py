"""Tries to get hold of other processes. Run with a target: {"launcher", "daemon", "siblings": [pid]}."""
import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import time

from attempt import RENEW, attempt, call, main

PTRACE_SEIZE, PTRACE_ATTACH = 0x4206, 16
PTRACE, PROCESS_VM_READV, PROCESS_VM_WRITEV, TKILL, TGKILL = 101, 310, 311, 200, 234
RT_SIGQUEUEINFO, RT_TGSIGQUEUEINFO, PIDFD_OPEN, PIDFD_SEND_SIGNAL, PIDFD_GETFD = 129, 297, 434, 424, 438
PRLIMIT64, KCMP = 302, 312


VICTIMS = []


def put_down():
    while VICTIMS:
        victim = VICTIMS.pop()
        victim.kill()
        victim.wait()


def renew(target):
    """Victims that may be hurt."""
    put_down()
    for _ in range(3):
        out = subprocess.DEVNULL
        VICTIMS.append(subprocess.Popen(['/usr/bin/sleep', '60'], env={'SECRET': 'hunter2'}, stdout=out, stderr=out))
    time.sleep(0.05)
    launcher, daemon, sibling = (victim.pid for victim in VICTIMS)
    return {**target, 'launcher': launcher, 'daemon': daemon, 'siblings': [sibling]}


RENEW[0] = renew


def threads(pid):
    return [int(name) for name in os.listdir(f'/proc/{pid}/task')]


def first(outcomes):
    """Success if any of several tries has any; all of them have to be held back."""
    problem = None
    for one in outcomes:
        try:
            return one()
        except OSError as error:
            problem = error
    raise problem or OSError(2, 'nothing to try')


def read(path):
    with open(path, 'rb') as file:
        content = file.read(4096)
    if not content:
        raise OSError(1, 'empty')
    return f'read {len(content)} bytes of {path}'


def everybody(target):
    return [target['launcher'], target['daemon'], *target['siblings']]


@attempt
def environment_of_others(target):
    return first(lambda pid=pid: read(f'/proc/{pid}/environ') for pid in everybody(target))


@attempt
def maps_of_others(target):
    return first(lambda pid=pid: read(f'/proc/{pid}/maps') for pid in everybody(target))


@attempt
def descriptors_of_others(target):
    return first(lambda pid=pid: os.readlink(f'/proc/{pid}/fd/0') for pid in everybody(target))


@attempt
def launchers_threads_environment(target):
    return first(
        lambda tid=tid: read(f"/proc/{target['launcher']}/task/{tid}/environ") for tid in threads(target['launcher'])
    )


def memory(pid, tid):
    """The first writable bytes of a process, by the memory file of one of its threads."""
    with open(f'/proc/{pid}/task/{tid}/maps') as file:
        line = next(line for line in file if ' rw-p ' in line)
    with open(f'/proc/{pid}/task/{tid}/mem', 'rb', buffering=0) as file:
        file.seek(int(line.split('-')[0], 16))
        return len(file.read(16))


@attempt
def launchers_memory(target):
    return first(lambda tid=tid: memory(target['launcher'], tid) for tid in threads(target['launcher']))


@attempt
def memory_of_others(target):
    return first(lambda pid=pid: memory(pid, pid) for pid in everybody(target))


def vectors(number, tid):
    buffer = ctypes.create_string_buffer(8)
    local = struct.pack('QQ', ctypes.addressof(buffer), 8)
    # The lowest page of a program that is not position independent; a wrong address is told apart from a denial.
    remote = struct.pack('QQ', 0x400000, 8)
    try:
        return call(number, tid, local, 1, remote, 1, 0)
    except OSError as error:
        if error.errno == 14:
            return 'was let in'
        raise


@attempt
def process_vm_read(target):
    tids = [tid for pid in everybody(target) for tid in threads(pid)]
    return first(lambda tid=tid: vectors(PROCESS_VM_READV, tid) for tid in tids)


@attempt
def process_vm_write(target):
    tids = [tid for pid in everybody(target) for tid in threads(pid)]
    return first(lambda tid=tid: vectors(PROCESS_VM_WRITEV, tid) for tid in tids)


@attempt
def trace(target):
    tids = [tid for pid in everybody(target) for tid in threads(pid)]
    return first(lambda tid=tid: call(PTRACE, PTRACE_SEIZE, tid, 0, 0) for tid in tids)


@attempt
def take_descriptor(target):
    def one(pid):
        descriptor = call(PIDFD_OPEN, pid, 0)
        return call(PIDFD_GETFD, descriptor, 1, 0)

    return first(lambda pid=pid: one(pid) for pid in everybody(target))


@attempt
def compare(target):
    return first(lambda pid=pid: call(KCMP, os.getpid(), pid, 1, 0, 0) for pid in everybody(target))


@attempt
def kill_others(target):
    return first(lambda pid=pid: os.kill(pid, signal.SIGKILL) or f'killed {pid}' for pid in reversed(everybody(target)))


@attempt
def kill_others_by_descriptor(target):
    def one(pid):
        return call(PIDFD_SEND_SIGNAL, call(PIDFD_OPEN, pid, 0), signal.SIGKILL, 0, 0)

    return first(lambda pid=pid: one(pid) for pid in reversed(everybody(target)))


def launchers(target, one):
    return first(lambda tid=tid: one(tid) for tid in threads(target['launcher']))


@attempt
def kill_launchers_threads(target):
    return launchers(target, lambda tid: os.kill(tid, signal.SIGKILL) or f'killed {tid}')


@attempt
def tkill_launchers_threads(target):
    return launchers(target, lambda tid: call(TKILL, tid, signal.SIGKILL))


@attempt
def tgkill_launchers_threads(target):
    return launchers(target, lambda tid: call(TGKILL, target['launcher'], tid, signal.SIGKILL))


def information(number):
    """A siginfo that says it comes from here, as the kernel wants it for others."""
    return struct.pack('iiii', number, 0, -1, 0) + bytes(112)


@attempt
def queue_signal_to_launchers_threads(target):
    info = information(signal.SIGKILL)
    return launchers(target, lambda tid: call(RT_SIGQUEUEINFO, tid, signal.SIGKILL, info))


@attempt
def queue_signal_to_one_of_launchers_threads(target):
    info = information(signal.SIGKILL)
    return launchers(target, lambda tid: call(RT_TGSIGQUEUEINFO, target['launcher'], tid, signal.SIGKILL, info))


@attempt
def kill_launchers_threads_by_descriptor(target):
    thread = 0o200
    return launchers(
        target, lambda tid: call(PIDFD_SEND_SIGNAL, call(PIDFD_OPEN, tid, thread), signal.SIGKILL, 0, 0)
    )


def lives(pid, tid):
    try:
        with open(f'/proc/{pid}/task/{tid}/stat') as file:
            return file.read().rsplit(')', 1)[1].split()[0] not in 'ZX'
    except FileNotFoundError:
        return False


def input_signal(target, own):
    """Has the kernel send KILL to somebody when input arrives."""
    alive = threads(target['launcher'])
    for tid in alive:
        reading, writing = os.pipe()
        try:
            own(reading, tid)
            fcntl.fcntl(reading, 10, signal.SIGKILL)
            fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(writing, b'x')
        except OSError:
            continue
    time.sleep(0.5)
    dead = [tid for tid in alive if not lives(target['launcher'], tid)]
    if not dead:
        raise OSError(1, 'everybody lives')
    return f'killed {dead}'


@attempt
def kill_by_input_owner(target):
    return input_signal(target, lambda fd, tid: fcntl.fcntl(fd, fcntl.F_SETOWN, tid))


@attempt
def kill_by_input_owner_thread(target):
    return input_signal(target, lambda fd, tid: fcntl.fcntl(fd, 15, struct.pack('ii', 0, tid)))


@attempt
def kill_by_socket_owner(target):
    def own(tid):
        one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        fcntl.ioctl(one, 0x8901, struct.pack('i', tid))
        return 'owned'

    return launchers(target, own)


@attempt
def limit_others(target):
    """A limit of processor time that is used up ends a process."""
    limit = struct.pack('QQ', 1, 1)
    return first(lambda pid=pid: call(PRLIMIT64, pid, 0, limit, 0) for pid in reversed(everybody(target)))


@attempt
def lose_the_mark(target):
    try:
        resource.setrlimit(10, (5, 5))
    except ValueError as error:
        raise OSError(1, str(error)) from error
    return 'lost'


@attempt
def lose_the_mark_by_call(target):
    return call(PRLIMIT64, 0, 10, struct.pack('QQ', 5, 5), 0)


main()
put_down()
