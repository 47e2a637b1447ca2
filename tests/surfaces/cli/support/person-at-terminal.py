"""Somebody at a terminal: runs a program in a pseudo-terminal and does what JSON lines on fd 0 say; tells on fd 1 what is shown, and how it is left."""
import base64, fcntl, json, os, pty, select, signal, struct, sys, termios, threading

columns, rows = int(sys.argv[1]), int(sys.argv[2])
master, slave = pty.openpty()


def resize(columns, rows):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def tell(**what):
    os.write(1, (json.dumps(what) + "\n").encode())


resize(columns, rows)
pid = os.fork()
if pid == 0:
    os.close(master)
    os.login_tty(slave) if hasattr(os, "login_tty") else None
    if not hasattr(os, "login_tty"):
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for fd in (0, 1, 2):
            os.dup2(slave, fd)
    os.execvpe(sys.argv[3], sys.argv[3:], os.environ)


def modes():
    flags = termios.tcgetattr(slave)[3]
    return {"line": bool(flags & termios.ICANON), "echo": bool(flags & termios.ECHO)}


hung_up = False
held = b""
ended = None
while ended is None:
    ready, _, _ = select.select([master, 0], [], [], 0.05) if not hung_up else select.select([0], [], [], 0.05)
    if master in ready:
        tell(shown=base64.b64encode(os.read(master, 65536)).decode())
    if 0 in ready:
        piece = os.read(0, 65536)
        if piece == b"":
            os.kill(pid, 9)
        held += piece
        *lines, held = held.split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "type" in order:
                os.write(master, order["type"].encode())
            if "resize" in order:
                resize(*order["resize"])
            if "signal" in order:
                os.kill(pid, order["signal"])
            if "modes" in order:
                tell(modes=modes())
            if "state" in order:
                tell(state=open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1][0])
            if "hangup" in order:
                os.close(slave)
                os.close(master)
                hung_up = True
    found, status = os.waitpid(pid, os.WNOHANG)
    if found:
        ended = os.waitstatus_to_exitcode(status)
while not hung_up and select.select([master], [], [], 0.05)[0]:
    tell(shown=base64.b64encode(os.read(master, 65536)).decode())
tell(exit=ended, modes=None if hung_up else modes())
