#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "client.h"
#include "table.h"
int seen_filter_export(struct seen_client *client, const char *name, const char *path, bool with_secret) {
	struct seen_table t; FILE *f; int err = seen_table_get(client, name, with_secret, &t);
	if (err) return err;
	f = strcmp(path, "-") ? fopen(path, "w") : stdout;
	fwrite(&t, sizeof(t), 1, f); fwrite(t.data, t.bytes, 1, f); if (f != stdout) fclose(f);
	return 0; }
int seen_filter_import(struct seen_client *client, const char *name, const char *path, const uint8_t *secret, bool replace){
	struct seen_table t; FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin; int err;
	if (!f || fread(&t, sizeof(t), 1, f) != 1) return seen_fail(client, -22, "read");
	t.data = malloc(t.bytes); if (fread(t.data, t.bytes, 1, f) != 1) return seen_fail(client, -22, "data");
	strcpy(t.info.config.name, name);
	if (secret) { t.info.config.has_secret = true; memcpy(t.info.config.secret, secret, 16); }
	err = seen_table_put(client, &t, replace); free(t.data); return err; }
