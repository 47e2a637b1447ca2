"""The folders that hostile programs would like to get at: outside is somebody else's, scope is theirs."""
import os
import shutil

from attempt import RENEW


def outside(target, *names):
    return os.path.join(target['outside'], *names)


def scope(target, *names):
    return os.path.join(target['scope'], *names)


def renew(target):
    """The same as the test lays out, within the scope."""
    base = os.path.join(target['scope'], 'anew')
    shutil.rmtree(base, ignore_errors=True)
    for name in ('scope', 'outside/home/alice', 'outside/empty'):
        os.makedirs(os.path.join(base, name))
    with open(f'{base}/outside/home/alice/diary', 'w'):
        pass
    for name, content in (('secret', 'SECRET'), ('precious', 'precious')):
        with open(f'{base}/outside/{name}', 'w') as file:
            file.write(content)
    shutil.copy('/usr/bin/true', f'{base}/outside/program')
    return {**target, 'scope': f'{base}/scope', 'outside': f'{base}/outside'}


RENEW[0] = renew


def secret_in(path):
    with open(path, 'rb') as file:
        text = file.read()
    if b'SECRET' not in text:
        raise OSError(2, 'nothing secret')
    return 'read it'
