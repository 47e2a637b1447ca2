"""Tries to write, make, move and delete outside of the scope. Run with a target: {"outside", "scope"}."""
import fcntl
import os
import threading
import time

from attempt import attempt, call, main
from places import outside, scope

# x86-64; where a number differs on ARM64 the attempt is left to the tests of the filter.
FCHMODAT2, COPY_FILE_RANGE, RENAMEAT2, LINKAT = 452, 326, 316, 265


@attempt
def write_existing(target):
    with open(outside(target, 'precious'), 'r+') as file:
        return file.write('gone')


@attempt
def append(target):
    with open(outside(target, 'precious'), 'a') as file:
        return file.write('gone')


@attempt
def create(target):
    with open(outside(target, 'created'), 'x') as file:
        return file.write('new')


@attempt
def create_without_name(target):
    descriptor = os.open(target['outside'], os.O_TMPFILE | os.O_RDWR, 0o600)
    name = outside(target, 'created-by-link').encode()
    return call(LINKAT, -100, f'/proc/self/fd/{descriptor}'.encode(), -100, name, 0x400)


@attempt
def truncate(target):
    os.truncate(outside(target, 'precious'), 0)
    return 'cut'


@attempt
def truncate_on_opening(target):
    os.open(outside(target, 'precious'), os.O_RDONLY | os.O_TRUNC)
    return 'cut'


@attempt
def delete(target):
    os.unlink(outside(target, 'precious'))
    return 'deleted'


@attempt
def delete_folder(target):
    os.rmdir(outside(target, 'empty'))
    return 'deleted'


@attempt
def make_folder(target):
    os.mkdir(outside(target, 'made'))
    return 'made'


@attempt
def make_pipe(target):
    os.mkfifo(outside(target, 'pipe'))
    return 'made'


@attempt
def make_link(target):
    os.symlink('/etc/passwd', outside(target, 'link'))
    return 'made'


@attempt
def rename_outside(target):
    os.rename(outside(target, 'precious'), outside(target, 'renamed'))
    return 'renamed'


@attempt
def move_in(target):
    os.rename(outside(target, 'precious'), scope(target, 'taken'))
    return 'taken'


@attempt
def move_out(target):
    with open(scope(target, 'gift'), 'w') as file:
        file.write('unwanted')
    os.rename(scope(target, 'gift'), outside(target, 'gift'))
    return 'given'


@attempt
def exchange(target):
    with open(scope(target, 'changeling'), 'w') as file:
        file.write('unwanted')
    call(RENAMEAT2, -100, scope(target, 'changeling').encode(), -100, outside(target, 'precious').encode(), 2)
    return 'exchanged'


@attempt
def hard_link_out(target):
    with open(scope(target, 'original'), 'w') as file:
        file.write('unwanted')
    os.link(scope(target, 'original'), outside(target, 'copy'))
    return 'linked'


@attempt
def write_through_link(target):
    link = scope(target, 'link-to-precious')
    os.symlink(outside(target, 'precious'), link)
    with open(link, 'r+') as file:
        return file.write('gone')


@attempt
def write_through_folder_link(target):
    link = scope(target, 'folder-link')
    os.symlink(target['outside'], link)
    with open(os.path.join(link, 'created-through-link'), 'x') as file:
        return file.write('new')


@attempt
def copy_range(target):
    source = os.open(scope(target, 'source'), os.O_RDWR | os.O_CREAT)
    os.write(source, b'gone')
    sink = os.open(outside(target, 'precious'), os.O_WRONLY)
    return call(COPY_FILE_RANGE, source, 0, sink, 0, 4, 0)


@attempt
def write_by_symlink_race(target):
    """One thread swaps a harmless file and a link to the precious one while another writes through the name."""
    name, harmless, link = scope(target, 'race'), scope(target, 'race-file'), scope(target, 'race-link')
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            with open(harmless, 'w'):
                pass
            os.rename(harmless, name)
            os.symlink(outside(target, 'precious'), link)
            os.rename(link, name)

    threading.Thread(target=swap, daemon=True).start()
    end = time.monotonic() + 2
    won = 0
    while time.monotonic() < end:
        try:
            with open(name, 'r+') as file:
                file.write('raced')
            with open(outside(target, 'precious')) as file:
                won += file.read().startswith('raced')
        except OSError:
            continue
    stop.set()
    if won == 0:
        raise OSError(13, 'never won')
    return f'won {won} times'


@attempt
def write_by_own_memory(target):
    """Writing to /proc/self/mem would change programs that may only be read; the file rules know no such file."""
    descriptor = os.open('/proc/self/mem', os.O_RDWR)
    return descriptor


@attempt
def write_kernel_setting(target):
    with open('/proc/sys/kernel/core_pattern', 'r+') as file:
        return file.read(1)


@attempt
def change_own_importance(target):
    with open('/proc/self/oom_score_adj', 'w') as file:
        return file.write('500')


@attempt
def make_setuid(target):
    path = scope(target, 'setuid')
    with open(path, 'w'):
        pass
    os.chmod(path, 0o4755)
    return oct(os.stat(path).st_mode)


@attempt
def make_setuid_on_creation(target):
    descriptor = os.open(scope(target, 'setuid-made'), os.O_CREAT | os.O_WRONLY, 0o4755)
    return oct(os.fstat(descriptor).st_mode)


@attempt
def make_setuid_by_new_call(target):
    path = scope(target, 'setuid-2')
    with open(path, 'w'):
        pass
    call(FCHMODAT2, -100, path.encode(), 0o4755, 0)
    return oct(os.stat(path).st_mode)


@attempt
def give_away(target):
    os.chown(outside(target, 'precious'), 12345, 12345)
    return 'given'


@attempt
def lock_outside(target):
    descriptor = os.open(outside(target, 'precious'), os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return 'locked'


main()
