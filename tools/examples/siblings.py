#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""siblings.py ORIGIN: nginx with a cache asks here for each page that it does not have. The page
comes from another cache of the group "pages" that may have it, else from ORIGIN (HOST:PORT).
Prints a line for each page: its path, the caches that were asked, and the one that had it. See
Documentation/scenarios/caches.md."""

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GROUP, FILTER = "pages", "pages"
LOG = "/run/siblings.sock"
# At this port a cache answers with a stored page, or with an error.
PORT = 8080


def ask(path):
    """The other caches that may have a page."""
    answer = subprocess.run(["seenctl", "-j", "fleet", "ask", GROUP, "--", path],
                            capture_output=True, check=False)
    own = os.uname().nodename
    # If seend does not run, the origin has the page.
    hosts = json.loads(answer.stdout)[0]["hosts"] if answer.returncode == 0 else []
    return [host for host in hosts if host != own]


def fetch(host, port, path):
    """Status, type and content of a page; status 502 if the server does not answer."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status, reply.getheader("Content-Type", "text/plain"), reply.read()
    except OSError:
        return 502, "text/plain", b""
    finally:
        connection.close()


class Handler(BaseHTTPRequestHandler):
    """Answers nginx."""
    def do_GET(self):
        asked = []
        for source in ask(self.path):
            asked.append(source)
            status, kind, content = fetch(source, PORT, self.path)
            if status == 200:
                break
        else:
            source = "origin"
            status, kind, content = fetch(*sys.argv[1].split(":"), self.path)
        print(self.path, ",".join(asked) or "-", source, flush=True)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def stored(log):
    """Adds each page to the filter that nginx has stored, as its log says."""
    while True:
        pages = []
        lines = [log.recv(65536)]
        log.setblocking(False)
        try:
            while len(lines) < 1000:
                lines.append(log.recv(65536))
        except BlockingIOError:
            pass
        log.setblocking(True)
        for line in lines:
            result, status, path = line.decode().split("siblings: ", 1)[1].split(" ", 2)
            if status == "200" and result in ("MISS", "EXPIRED"):
                pages.append(path)
        if pages:
            subprocess.run(["seenctl", "key", "add", FILTER, "--", *pages], check=False)


def main():
    if os.path.exists(LOG):
        os.unlink(LOG)
    log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    log.bind(LOG)
    os.chmod(LOG, 0o666)
    threading.Thread(target=stored, args=(log,), daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", 8081), Handler).serve_forever()


main()
