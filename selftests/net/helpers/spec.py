# SPDX-License-Identifier: GPL-2.0
"""For helpers that compare the kernel with the netlink spec: the spec, and requests.py, which
sends requests."""
import importlib.util
import os

import yaml

_folder = os.path.dirname(os.path.abspath(__file__))
_location = importlib.util.spec_from_file_location(
    "requests", os.path.join(_folder, "..", "requests.py"))
requests = importlib.util.module_from_spec(_location)
_location.loader.exec_module(requests)
with open(os.path.join(_folder, "../../Documentation/netlink/specs/seen.yaml")) as _text:
    SPEC = yaml.safe_load(_text)
