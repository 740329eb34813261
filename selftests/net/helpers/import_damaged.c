// SPDX-License-Identifier: GPL-2.0
/*
 * import_damaged NAME FILE: imports a damaged file, prints the error, and keeps its
 * connection until it is killed.
 */
#include <stdio.h>
#include <unistd.h>

#include "numbers.h"

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();

	if (argc != 3)
		fatal("import_damaged NAME FILE");
	if (!seen_filter_import(client, argv[1], argv[2], NULL, false))
		fatal("it was taken");
	printf("%s\n", seen_error(client));
	fflush(stdout);
	for (;;)
		pause();
}
