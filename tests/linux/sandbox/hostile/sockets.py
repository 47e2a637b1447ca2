"""Tries to reach anybody by a socket. Run with a target: {"stream", "datagram", "abstract", "x11", "docker", "tcp4", "tcp6", "udp4", "udp6"}."""
import array
import socket

from attempt import attempt, call, main

IO_URING_SETUP, SOCKETPAIR, CONNECT = 425, 53, 42


def stream(address, family=socket.AF_UNIX):
    with socket.socket(family, socket.SOCK_STREAM) as it:
        it.settimeout(5)
        it.connect(address)
        return it.recv(100)


def datagram(address, family=socket.AF_UNIX):
    with socket.socket(family, socket.SOCK_DGRAM) as it:
        return it.sendto(b'hostile', address)


@attempt
def unix_stream(target):
    return stream(target['stream'])


@attempt
def unix_datagram(target):
    return datagram(target['datagram'])


@attempt
def unix_abstract(target):
    return stream('\0' + target['abstract'])


@attempt
def x11(target):
    return stream(target['x11'])


@attempt
def docker(target):
    return stream(target['docker'])


@attempt
def unix_datagram_from_pair(target):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    # A datagram socket of a pair may send to any name.
    return one.sendto(b'hostile', target['datagram'])


@attempt
def unix_stream_from_pair(target):
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    other.close()
    one.connect(target['stream'])
    return 'connected'


@attempt
def unix_packets_from_pair(target):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    one.connect(target['stream'])
    return 'connected'


@attempt
def unix_listener_from_pair(target):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    one.bind('\0hostile-' + target['abstract'])
    return 'bound'


@attempt
def tcp4(target):
    return stream(('127.0.0.1', target['tcp4']), socket.AF_INET)


@attempt
def tcp6(target):
    return stream(('::1', target['tcp6']), socket.AF_INET6)


@attempt
def udp4(target):
    return datagram(('127.0.0.1', target['udp4']), socket.AF_INET)


@attempt
def udp6(target):
    return datagram(('::1', target['udp6']), socket.AF_INET6)


@attempt
def tcp_listener(target):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as it:
        it.bind(('127.0.0.1', 0))
        it.listen()
        return 'listening'


@attempt
def tcp_with_high_bits(target):
    """The kernel takes 32 bits of the family; a filter that compares 64 would be passed by."""
    return call(41, socket.AF_INET | (1 << 40), socket.SOCK_STREAM, 0)


@attempt
def netlink(target):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0):
        return 'opened'


@attempt
def packets(target):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW):
        return 'opened'


@attempt
def kernel_crypto(target):
    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET):
        return 'opened'


@attempt
def virtual_machine(target):
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM):
        return 'opened'


@attempt
def io_uring(target):
    """A ring makes sockets without the call that a filter sees."""
    return call(IO_URING_SETUP, 8, bytes(120))


main()
