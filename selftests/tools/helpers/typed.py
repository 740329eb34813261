#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Types lines into an interactive shell on a terminal of its own, as a user would, and prints the
words that the shell makes of each line.

usage: typed.py bash|zsh SETUP TRANSCRIPT < LINES

SETUP is a file that the shell reads first. In LINES "<TAB>" is the key. Words are separated by
"|". The output of the shell on its terminal is written to TRANSCRIPT."""

import os
import pty
import select
import sys
import tempfile

# The words of a line are arguments of a function, which writes them to a pipe.
TELL = 'told() { printf "%%s\\0" "$@" >%s; echo >%s; }\n'
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "set -o emacs\n"),
    "zsh": (["zsh", "-f", "-i"], "bindkey -e; unsetopt beep\n"),
}
LIMIT = 120
START, DISCARD, INTERRUPT = b"\x01", b"\x15", b"\x03"


class Terminal:
    """A shell on a terminal."""

    def __init__(self, shell, setup, transcript):
        self.fifo = os.path.join(tempfile.mkdtemp(), "fifo")
        os.mkfifo(self.fifo)
        self.pipe = os.open(self.fifo, os.O_RDWR)
        self.log = open(transcript, "wb")
        command, own = SHELLS[shell]
        pid, self.fd = pty.fork()
        if not pid:
            os.environ.update(TERM="dumb", PS1="", HISTFILE="/dev/null")
            os.execvp(command[0], command)
        self.send(". %s\n" % setup + own + TELL % (self.fifo, self.fifo))

    def send(self, text):
        os.write(self.fd, text if isinstance(text, bytes) else text.encode())

    def told(self):
        """The words of a line, or None if the shell does not finish the line."""
        got = b""
        while not got.endswith(b"\n"):
            ready = select.select([self.fd, self.pipe], [], [], LIMIT)[0]
            if not ready:
                self.send(INTERRUPT)
                return None
            if self.fd in ready:
                self.log.write(os.read(self.fd, 65536))
            if self.pipe in ready:
                got += os.read(self.pipe, 65536)
        return got[:-1].decode().split("\0")[:-1]

    def words(self, line):
        # The shell reads the keys only when it is ready for a line.
        self.send("told ready\r")
        self.told()
        keys = line.replace("<TAB>", "\t").encode()
        self.send(DISCARD + keys + START + b"told \r")
        return self.told()

    def close(self):
        self.log.close()
        os.close(self.fd)
        os.unlink(self.fifo)
        os.rmdir(os.path.dirname(self.fifo))


def main():
    terminal = Terminal(*sys.argv[1:])
    for line in sys.stdin:
        words = terminal.words(line.rstrip("\n"))
        print("the line is not finished" if words is None else "|".join(words), flush=True)
    terminal.close()


main()
