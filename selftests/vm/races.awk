# SPDX-License-Identifier: GPL-2.0
# Reads the kernel's log: for each data race that touches this project's modules
# a line "ours: TITLE" and its report, then a figure of the others, by the pairs of
# functions that met.
#
# A race is ours if one of the two accesses was made by a function of ours, or by
# one that it called: the kernel's lists, strings and memory are handled by its own
# functions. What those call in turn is the kernel's business; it is told which of that
# was under a function of ours.

function finish() {
	if (title == "")
		return
	if (ours)
		printf "ours: %s\n%s", title, report
	else if (!count[name = title (under ? ", under ours" : "")]++)
		order[++titles] = name
	title = ""
}

/^BUG: KCSAN: / {
	finish()
	title = $0
	sub(/^BUG: KCSAN: (data-race in )?/, "", title)
	ours = under = 0
	depth = 2
	report = ""
}

/^==========/ { finish() }

{ report = report "# " $0 "\n" }

# The head of a stack; a race of unknown origin has one.
/ of [0-9]+ bytes by / { depth = 0 }

/^ [^ ]/ && /\[(xt_)?seen(_planted)?\]/ {
	under = 1
	if (depth < 2)
		ours = 1
}

/^ [^ ]/ { depth++ }

END {
	finish()
	for (i = 1; i <= titles; i++)
		all += count[order[i]]
	printf "# figure: %d reports of KCSAN elsewhere in the kernel", all
	for (i = 1; i <= titles; i++)
		printf("%s %s (%d)", i == 1 ? ":" : ",", order[i],
			count[order[i]])
	print ""
}
