"""Tries to read, list and execute outside of the scope. Run with a target: {"outside", "scope", "launcher", "daemon"}."""
import ctypes
import mmap
import os
import struct
import subprocess
import time

from attempt import attempt, call, main
from places import outside, scope, secret_in

# x86-64; where a number differs on ARM64 the attempt is left to the tests of the filter.
OPENAT2, OPEN_BY_HANDLE_AT, NAME_TO_HANDLE_AT, IO_URING_SETUP = 437, 304, 303, 425


@attempt
def read_outside(target):
    return secret_in(outside(target, 'secret'))


@attempt
def read_by_mapping(target):
    descriptor = os.open(outside(target, 'secret'), os.O_RDONLY)
    return mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)[:6]


@attempt
def read_through_dot_dot(target):
    os.chdir(target['scope'])
    return secret_in('../outside/secret')


@attempt
def read_through_folder_descriptor(target):
    folder = os.open(target['scope'], os.O_PATH | os.O_DIRECTORY)
    descriptor = os.open('../outside/secret', os.O_RDONLY, dir_fd=folder)
    return os.read(descriptor, 100)


@attempt
def read_through_outside_folder_descriptor(target):
    folder = os.open(target['outside'], os.O_PATH | os.O_DIRECTORY)
    descriptor = os.open('secret', os.O_RDONLY, dir_fd=folder)
    return os.read(descriptor, 100)


@attempt
def read_after_chdir(target):
    os.chdir(target['outside'])
    return secret_in('secret')


@attempt
def read_by_openat2(target):
    how = struct.pack('QQQ', os.O_RDONLY, 0, 0)
    descriptor = call(OPENAT2, -100, outside(target, 'secret').encode(), how, len(how))
    return os.read(descriptor, 100)


@attempt
def read_through_link(target):
    link = scope(target, 'link-to-secret')
    os.symlink(outside(target, 'secret'), link)
    return secret_in(link)


@attempt
def read_by_hard_link(target):
    os.link(outside(target, 'secret'), scope(target, 'hard-link'))
    return secret_in(scope(target, 'hard-link'))


@attempt
def read_through_own_root(target):
    return secret_in('/proc/self/root' + outside(target, 'secret'))


@attempt
def read_through_own_cwd(target):
    os.chdir(target['outside'])
    return secret_in('/proc/self/cwd/secret')


@attempt
def read_through_launchers_cwd(target):
    return os.listdir(f"/proc/{target['launcher']}/cwd/")


@attempt
def read_through_launchers_root(target):
    return secret_in(f"/proc/{target['launcher']}/root" + outside(target, 'secret'))


@attempt
def read_through_daemons_cwd(target):
    return os.listdir(f"/proc/{target['daemon']}/cwd/")


@attempt
def read_through_daemons_descriptor(target):
    folder = f"/proc/{target['daemon']}/fd"
    for name in os.listdir(folder):
        try:
            return secret_in(f'{folder}/{name}')
        except OSError:
            continue
    raise OSError(2, 'none of them')


@attempt
def read_by_handle(target):
    handle = bytearray(struct.pack('Ii', 128, 0) + bytes(128))
    buffer = (ctypes.c_char * len(handle)).from_buffer(handle)
    mount = ctypes.c_int()
    call(NAME_TO_HANDLE_AT, -100, outside(target, 'secret').encode(), buffer, ctypes.byref(mount), 0)
    # Any folder of the same file system will do to name it.
    place = os.open(target['scope'], os.O_RDONLY)
    descriptor = call(OPEN_BY_HANDLE_AT, place, buffer, os.O_RDONLY)
    return os.read(descriptor, 100)


@attempt
def read_by_io_uring(target):
    return call(IO_URING_SETUP, 8, bytes(120))


@attempt
def read_by_loader(target):
    done = subprocess.run(['/usr/bin/cat', outside(target, 'secret')], capture_output=True)
    if done.returncode != 0:
        raise OSError(13, done.stderr.decode())
    return done.stdout


@attempt
def read_by_memory_program(target):
    with open('/usr/bin/cat', 'rb') as file:
        content = file.read()
    descriptor = os.memfd_create('program', 0)
    os.write(descriptor, content)
    done = subprocess.run(
        [f'/proc/self/fd/{descriptor}', outside(target, 'secret')], pass_fds=[descriptor], capture_output=True
    )
    if done.returncode != 0:
        raise OSError(13, done.stderr.decode())
    return done.stdout


@attempt
def read_after_escape(target):
    """Out of the session, twice forked, environment gone, long after the parent."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.environ.clear()
            time.sleep(0.3)
            try:
                secret_in(outside(target, 'secret'))
                os.write(writing, b'yes')
            except OSError:
                os.write(writing, b'no')
        os._exit(0)
    os.close(writing)
    if os.read(reading, 3) != b'yes':
        raise OSError(13, 'denied')
    return 'read it'


@attempt
def list_home(target):
    return os.listdir(outside(target, 'home', 'alice'))


@attempt
def list_real_homes(target):
    return os.listdir('/root') or os.listdir('/home')


@attempt
def read_passwords(target):
    with open('/etc/shadow') as file:
        return file.read(10) or 'it is empty'


@attempt
def read_group_passwords(target):
    with open('/etc/gshadow') as file:
        return file.read(10) or 'it is empty'


@attempt
def execute_outside(target):
    return subprocess.run([outside(target, 'program')], check=True).returncode


@attempt
def execute_outside_by_loader(target):
    loader = '/lib64/ld-linux-x86-64.so.2'
    done = subprocess.run([loader, outside(target, 'program')])
    if done.returncode != 0:
        raise OSError(13, 'denied')
    return 'ran'


main()
