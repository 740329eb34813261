# SPDX-License-Identifier: GPL-2.0
# Judges the output of selftests/run: -v expect="file ..." names the tests that must be in it,
# -v label=... is printed before each name. Prints a line for each failure, with the notes that
# follow it, and for each skip, then the totals as "pass fail skip".
#
# Everything that was planned and is missing is a failure: a test without an end, a plan without
# all of its results, an exit status that no result explains.

function fail(text) {
	failed++
	bad++
	print "FAIL " label name ": " text
}

function finish(status,    hung) {
	hung = status == 124 ? ": it hung" : ""
	if (planned == "")
		fail("no plan")
	if (seen < planned) {
		fail("results from " seen + 1 " to " planned " are missing, after: " \
			(last == "" ? "none" : last) hung)
		failed += planned - seen - 1
	}
	if (status != 0 && !bad)
		fail("exit status " status hung)
	ended[name]++
	name = ""
	notes = 0
}

$1 == "#" && $2 == "begin" && NF == 3 {
	if (name != "")
		finish("none")
	name = $3
	planned = last = ""
	seen = bad = 0
	next
}

name == "" { next }

$1 == "#" && $2 == "end" && $3 == name && NF == 4 {
	finish($4)
	next
}

# The notes of a failed result.
/^# / && notes > 0 {
	notes--
	print "     " substr($0, 3)
	next
}

/^1\.\.[0-9]+/ {
	if (planned != "")
		fail("a second plan")
	planned = substr($1, 4) + 0
	if (planned == 0 && !/# *SKIP/)
		fail("no result is planned")
	else if (planned == 0) {
		skipped++
		sub(/^.*# *SKIP */, "")
		print "SKIP " label name ": " $0
	}
	next
}

/^(not )?ok / {
	seen++
	last = $0
	notes = $1 == "not" ? 12 : 0
	number = $1 == "not" ? $3 : $2
	if (number != seen)
		fail("result " number " where " seen " was due")
	else if (planned != "" && seen > planned)
		fail("result " seen " of " planned)
	else if ($1 == "not")
		fail($0)
	else if (/# *SKIP/) {
		skipped++
		print "SKIP " label name ": " $0
	} else
		passed++
	next
}

/^Bail out!/ { fail($0) }

END {
	if (name != "")
		finish("none")
	n = split(expect, list, " ")
	for (i = 1; i <= n; i++) {
		name = list[i]
		# The same test may be in the list twice.
		if (ended[name]-- <= 0)
			fail("did not run")
	}
	print passed + 0, failed + 0, skipped + 0
	exit failed > 0
}
