#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""serve.py FOLDER: an HTTP server with ETags on a free port of 127.0.0.1; prints the port, then a
line "PATH STATUS" for each request."""

import hashlib
import http.server
import pathlib
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = pathlib.Path(sys.argv[1]) / self.path.lstrip("/")
        data = path.read_bytes() if path.is_file() else b""
        tag = '"%s"' % hashlib.sha256(data).hexdigest()[:16]
        status = 200 if data else 404
        if status == 200 and self.headers.get("If-None-Match") == tag:
            status, data = 304, b""
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        print(self.path, status, flush=True)

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
