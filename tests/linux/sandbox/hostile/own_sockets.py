"""Asks Deskterity's own processes for what a confined program may not do.
Run with a target: {"daemon", "holder", "token", "version", "environment", "desk", "outside"}."""
import ctypes
import json
import os
import socket
import subprocess
import threading

from attempt import attempt, libc, main

LIMIT = 15


def script(target, name):
    return f"echo escaped > {target['outside']}/{name}"


def connected(path):
    it = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    it.settimeout(LIMIT)
    it.connect(path)
    return it


def ask_daemon(it, target, name):
    def send(frame):
        it.sendall(json.dumps(frame).encode() + b'\n')

    environment = {**target['environment'], 'DESKTERITY_SANDBOX_MODE': 'off'}
    hello = {'type': 'hello', 'protocol': target['daemon_protocol'], 'version': target['version'], 'pid': os.getpid()}
    send({**hello, 'cwd': target['outside'], 'environment': environment, 'colour': False})
    asked = {'command': script(target, name), 'execution_mode': 'sync'}
    send({'type': 'execute', 'id': 1, 'session': 'default', 'command': 'sandboxed-shell', 'input': asked})


def daemon_answer(it):
    with it.makefile('rb') as lines:
        for line in lines:
            frame = json.loads(line)
            if frame['type'] == 'answer':
                return frame
            if frame['type'] == 'refused':
                raise OSError(13, frame['code'])
    raise OSError(13, 'closed')


def through_daemon(target, name):
    with connected(target['daemon']) as it:
        ask_daemon(it, target, name)
        return daemon_answer(it)


@attempt
def daemon(target):
    return through_daemon(target, 'daemon')


@attempt
def daemon_of_an_orphan(target):
    """Nothing tells by its parents whose it is."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try:
                os.write(writing, json.dumps(through_daemon(target, 'orphan')).encode())
            except OSError as error:
                os.write(writing, b'denied ' + str(error).encode())
        os._exit(0)
    os.close(writing)
    answer = os.read(reading, 65536).decode()
    if not answer or answer.startswith('denied'):
        raise OSError(13, answer)
    return answer


@attempt
def daemon_of_somebody_who_is_gone(target):
    """Another has the connection, and whoever made it cannot be looked at any more."""
    it = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    it.settimeout(LIMIT)
    pid = os.fork()
    if pid == 0:
        it.connect(target['daemon'])
        os._exit(0)
    os.waitpid(pid, 0)
    ask_daemon(it, target, 'gone')
    return daemon_answer(it)


@attempt
def daemon_without_a_first_thread(target):
    """The first thread of a process stands for it in /proc, and this one has ended."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        first = threading.get_native_id()

        def other():
            try:
                while 'State:\tZ' not in open(f'/proc/self/task/{first}/status').read():
                    pass
                os.write(writing, json.dumps(through_daemon(target, 'thread')).encode())
            except BaseException as error:
                os.write(writing, b'denied ' + str(error).encode())
            os._exit(0)

        threading.Thread(target=other).start()
        libc.pthread_exit(None)
    os.close(writing)
    answer = os.read(reading, 65536).decode()
    if not answer or answer.startswith('denied'):
        raise OSError(13, answer)
    return answer


@attempt
def command_line(target):
    ran = subprocess.run(
        [*target['desk'], 'sandboxed-shell', script(target, 'line'), '--no-sandbox', '--execution-mode', 'sync'],
        env={**os.environ, **target['environment']},
        capture_output=True,
        timeout=LIMIT,
    )
    if ran.returncode != 0:
        raise OSError(13, ran.stdout.decode()[:500])
    return ran.stdout.decode()


@attempt
def holder(target):
    """With the word that it asks for."""
    confinement = {'by': 'none', 'scope': target['outside'], 'read': [], 'write': []}
    step = {
        'command': ['/bin/sh', '-c', script(target, 'holder')],
        'cwd': target['outside'],
        'environment': {},
        'confinement': {**confinement, 'network': True, 'unixSockets': True, 'denyReport': False},
    }
    request = {'tool': 'x', 'steps': [step], 'scope': target['outside'], 'session': 'default', 'output': 'merged'}
    with connected(target['holder']) as it:
        lines = it.makefile('rw')
        word = open(target['token']).read()
        for frame in (
            {'type': 'hello', 'protocol': target['holder_protocol'], 'token': word},
            {'type': 'start', 'id': 1, 'request': {**request, 'budgetBytes': 1000000}},
        ):
            lines.write(json.dumps(frame) + '\n')
            lines.flush()
        for line in lines:
            frame = json.loads(line)
            if frame['type'] == 'started':
                return line
            if frame['type'] == 'refused':
                raise OSError(13, frame['code'])
        raise OSError(13, 'closed')


main()
