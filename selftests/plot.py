#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plots of the documents: a gnuplot script with its data, and the SVG that gnuplot draws."""
import hashlib
import re
import subprocess

COLOURS = "#0065a8", "#c43d00", "#007a58", "#a03c80", "#8a6d00", "#555555"
SIZE = 1000, 420
# The graph, as parts of the width; the legend is to the right of it.
GRAPH = 0.11, 0.61


def quoted(text):
    return '"%s"' % text.replace('"', "'").replace("\n", "\\n")


def axis(name, title, log=False, percent=False, least=None, most=None, ticks=None):
    """Lines for one axis. Values of a percent axis are parts of 1; ticks: a format."""
    times = 100 if percent else 1
    lines = ["set %slabel %s noenhanced" % (name, quoted(title)),
             "set %srange [%s:%s]" % (name, *("*" if end is None else "%g" % (times * end)
                                              for end in (least, most)))]
    if log:
        lines.append("set logscale %s" % name)
    if percent:
        lines.append("set %stics 25" % name)
    ticks = ticks or ("10^{%T}" if log else "%g%%" if percent else "%g")
    return lines + ["set format %s %s" % (name, quoted(ticks))]


def script(title, x, y, series, caption=""):
    """series: (label, colour, dots, points). x, y: arguments of axis(). A point that is None,
    or not above 0 on a logarithmic axis, interrupts the line."""
    def line(point):
        if any(value is None or (value <= 0 and part.get("log"))
               for value, part in zip(point, (x, y))):
            return ""
        return " ".join("%.6g" % (100 * value if part.get("percent") else value)
                        for value, part in zip(point, (x, y)))

    if caption:
        title += "\n{/*0.8 %s}" % caption
    lines = ["set terminal svg size %d,%d font 'sans-serif,14' background 'white'" % SIZE,
             "set title " + quoted(title), *axis("x", **x), *axis("y", **y), "set grid",
             "set lmargin at screen %g\nset rmargin at screen %g" % GRAPH,
             "set key at screen %g, graph 1 left top Left reverse samplen 2 noenhanced" % (
                 GRAPH[1] + 0.02), "set key font ',12'"]
    curves = []
    for number, (label, colour, dots, points) in enumerate(series):
        lines += ["$series%d << end" % number, *map(line, points), "end"]
        style = "points pointtype 7 pointsize 0.7" if dots else "lines linewidth 2"
        curves.append("$series%d with %s linecolor rgb '%s' title %s" % (
            number, style, COLOURS[colour % len(COLOURS)], quoted(label)))
    return "\n".join(lines + ["plot " + ", \\\n     ".join(curves)]) + "\n"


def draw(text):
    """The SVG of a script, marked with the script's hash."""
    done = subprocess.run(["gnuplot", "-d"], input=text, capture_output=True, text=True, check=True)
    if done.stderr:
        raise ValueError("gnuplot: " + done.stderr)
    stamp = "<!-- script %s -->\n" % hashlib.sha256(text.encode()).hexdigest()
    return done.stdout.rstrip() + "\n" + stamp


def save(path, text):
    with open(path, "w") as file:
        file.write(draw(text))


def version(svg):
    return re.search(r"Produced by .*", svg)[0]


def current(path, text):
    """Whether gnuplot draws this file from the script. Another version of gnuplot writes other
    bytes for the same script: then the script's hash decides."""
    try:
        with open(path) as file:
            kept = file.read()
    except FileNotFoundError:
        return False
    now = draw(text)
    if version(kept) == version(now):
        return kept == now
    return kept.splitlines()[-1] == now.splitlines()[-1]
