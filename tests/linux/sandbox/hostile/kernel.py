"""Tries to get more of the kernel than a confined program is to have. Run with a target: {"scope"}."""
import ctypes
import mmap
import os
import signal
import struct

from attempt import attempt, call, libc, main

CLONE, CLONE3, UNSHARE, SETNS = 56, 435, 272, 308
NEW_USER, NEW_NS = 0x10000000, 0x20000


@attempt
def new_user_namespace(target):
    return call(UNSHARE, NEW_USER)


@attempt
def new_mount_namespace(target):
    return call(UNSHARE, NEW_NS)


@attempt
def clone_into_namespace(target):
    pid = call(CLONE, NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return 'made'


@attempt
def clone3_into_namespace(target):
    arguments = struct.pack('QQQQQQQQ', NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    pid = call(CLONE3, arguments, len(arguments))
    if pid == 0:
        os._exit(0)
    return 'made'


@attempt
def enter_namespace(target):
    descriptor = os.open('/proc/self/ns/uts', os.O_RDONLY)
    return call(SETNS, descriptor, 0)


@attempt
def change_root(target):
    os.chroot(target['scope'])
    return 'changed'


@attempt
def mount_by_binding(target):
    if libc.mount(b'/', target['scope'].encode(), None, 4096, None) != 0:
        raise OSError(ctypes.get_errno(), 'mount')
    libc.umount2(target['scope'].encode(), 2)
    return 'mounted'


@attempt
def mount_by_new_calls(target):
    return call(428, -100, b'/', 1)


@attempt
def make_character_device(target):
    path = os.path.join(target['scope'], 'memory')
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 1))
    return 'made'


@attempt
def make_block_device(target):
    path = os.path.join(target['scope'], 'disk')
    os.mknod(path, 0o600 | 0o060000, os.makedev(7, 0))
    return 'made'


@attempt
def load_module(target):
    # No module: a kernel that looked at it would say ENOEXEC.
    return call(175, b'none', 4, b'')


@attempt
def load_module_from_file(target):
    return call(313, os.open('/usr/bin/env', os.O_RDONLY), b'', 0)


@attempt
def watch_kernel(target):
    return call(298, struct.pack('IIQQQQQ', 1, 112, 0, 0, 0, 0, 0) + bytes(64), 0, -1, -1, 0)


@attempt
def load_kernel_program(target):
    # A map of one entry.
    return call(321, 0, struct.pack('IIIII', 2, 4, 4, 1, 0) + bytes(100), 120)


@attempt
def shared_memory(target):
    return call(29, 0, 4096, 0o600 | 0o1000)


@attempt
def message_queue(target):
    name = f'hostile-{os.getpid()}'.encode()
    call(240, name, os.O_CREAT | os.O_RDWR, 0o600, 0)
    return call(241, name)


@attempt
def keyring(target):
    # Ids of the session's keys.
    return call(250, 0, -3, 1)


@attempt
def become_somebody_else(target):
    os.setresuid(12345, 12345, 12345)
    return 'became'


@attempt
def gain_capabilities(target):
    with open('/proc/self/status') as file:
        lines = dict(line.split(':\t', 1) for line in file if ':\t' in line)
    # CAP_DAC_OVERRIDE and CAP_NET_BIND_SERVICE, as said.
    allowed = (1 << 1) | (1 << 10)
    bounding = ('CapBnd',) if os.getuid() == 0 else ()
    for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb', *bounding):
        if int(lines[name], 16) & ~allowed:
            return f'{name} {lines[name].strip()}'
    raise OSError(1, 'none')


@attempt
def foreign_architecture(target):
    """getpid of the 32-bit interface, whose numbers a filter of this architecture does not know."""
    code = b'\xb8\x14\x00\x00\x00\xcd\x80\xc3'
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


@attempt
def x32_interface(target):
    # getpid, with the bit of the x32 interface.
    return call(0x40000000 | 39)


@attempt
def secrets_in_own_environment(target):
    found = [name for name, value in os.environ.items() if 'hunter2' in value]
    with open('/proc/self/environ', 'rb') as file:
        if not found and b'hunter2' not in file.read():
            raise OSError(2, 'none')
    return found


@attempt
def secrets_in_any_environment(target):
    for name in os.listdir('/proc'):
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                if b'hunter2' in file.read():
                    return f'of process {name}'
        except OSError:
            continue
    raise OSError(2, 'none')


@attempt
def inherited_descriptors(target):
    foreign = {}
    for name in os.listdir('/proc/self/fd'):
        try:
            path = os.readlink(f'/proc/self/fd/{name}')
        except FileNotFoundError:
            continue
        if int(name) > 2 and not path.startswith(('pipe:', '/proc/')):
            foreign[name] = path
    if not foreign:
        raise OSError(2, 'none')
    return foreign


main()
