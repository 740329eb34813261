#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""origin.py ADDRESS PORT: a web server for scenarios. The content of a page is its path; there is
no page below /none/. Prints the path of each request."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        content = b"page " + self.path.encode() + b"\n"
        print(self.path, flush=True)
        self.send_response(404 if self.path.startswith("/none/") else 200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
