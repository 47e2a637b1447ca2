"""Servers of all kinds that say who reaches them. Run with a folder and an abstract name; says where they are, then a line for each visit."""
import json
import os
import selectors
import socket
import sys

folder, abstract = sys.argv[1:]
selector = selectors.DefaultSelector()


def listen(name, family, kind, address):
    server = socket.socket(family, kind)
    server.bind(address)
    if family == socket.AF_UNIX and not address.startswith('\0'):
        os.chmod(address, 0o777)
    if kind == socket.SOCK_STREAM:
        server.listen()
    selector.register(server, selectors.EVENT_READ, name)
    return server.getsockname()


places = {}
for name, kind in (('stream', socket.SOCK_STREAM), ('datagram', socket.SOCK_DGRAM)):
    places[name] = listen(name, socket.AF_UNIX, kind, f'{folder}/{name}')
places['x11'] = listen('x11', socket.AF_UNIX, socket.SOCK_STREAM, f'{folder}/X99')
places['docker'] = listen('docker', socket.AF_UNIX, socket.SOCK_STREAM, f'{folder}/docker.sock')
listen('abstract', socket.AF_UNIX, socket.SOCK_STREAM, '\0' + abstract)
places['abstract'] = abstract
for family, version, address in ((socket.AF_INET, 4, '127.0.0.1'), (socket.AF_INET6, 6, '::1')):
    places[f'tcp{version}'] = listen(f'tcp{version}', family, socket.SOCK_STREAM, (address, 0))[1]
    places[f'udp{version}'] = listen(f'udp{version}', family, socket.SOCK_DGRAM, (address, 0))[1]
print(json.dumps(places), flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj.type == socket.SOCK_STREAM:
            connection, _ = key.fileobj.accept()
            try:
                connection.sendall(b'hello')
            except OSError:
                pass
            connection.close()
        else:
            key.fileobj.recv(100)
        print(key.data, flush=True)
