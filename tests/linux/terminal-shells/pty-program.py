"""Runs a program in a pseudo-terminal: what comes in on fd 0 is typed, what it writes goes to fd 1, and its status is ours."""
import fcntl, os, pty, select, struct, sys, termios

columns, rows = int(sys.argv[1]), int(sys.argv[2])
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvpe(sys.argv[3], sys.argv[3:], os.environ)
typed = b""
is_open = True
while True:
    readers = [master, 0] if is_open else [master]
    ready, writable, _ = select.select(readers, [master] if typed else [], [])
    if 0 in ready:
        piece = os.read(0, 65536)
        is_open = piece != b""
        typed += piece
        if not is_open:
            os.kill(pid, 1)
    if writable:
        typed = typed[os.write(master, typed[:2048]):]
    if master in ready:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        while piece:
            piece = piece[os.write(1, piece):]
_, status = os.waitpid(pid, 0)
os._exit(os.waitstatus_to_exitcode(status) & 255)
