# SPDX-License-Identifier: GPL-2.0
# Reads the kernel's log. Prints for each data race that touches this project's modules
# a line "ours: TITLE" and its report, then the number of all other races, by the pairs of
# functions that raced.
#
# A race is ours if a function of ours made one of the two accesses, or called the function
# that made it: our data is also accessed by the kernel's functions for lists, strings and
# memory. Races deeper in the call chain belong to the kernel; the title says ", under ours"
# if a function of ours is on the stack.

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

# The head of a stack. A report of a race of unknown origin has one stack, others have two.
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
