// SPDX-License-Identifier: GPL-2.0
/* A key with a long payload, hashed by two functions of the module; see bench.h. */
#include <linux/slab.h>

#include "bench.h"
#include "hash.h"

/* Bytes of the fields before the payload in the key "frame". */
#define HEAD	24

/**
 * struct payload - the key to hash
 * @secret: secret of the hashes
 * @nh: key of NH, derived from @secret
 * @bytes: fields and payload
 */
struct payload {
	struct seen_secret secret;
	struct seen_nh_key nh;
	u8 bytes[];
};

static int begin(struct bench_run *run)
{
	struct payload *payload;

	payload = kzalloc(struct_size(payload, bytes,
				      HEAD + run->config.bytes), GFP_KERNEL);
	if (!payload)
		return -ENOMEM;
	payload->secret = (struct seen_secret) { { 1, 2 } };
	seen_nh_key_set(&payload->nh, &payload->secret);
	run->priv = payload;
	return 0;
}

static u32 by_nh(struct bench_worker *worker, u32 count)
{
	const struct payload *payload = worker->run->priv;
	struct seen_secret secret = payload->secret;
	u32 len = worker->run->config.bytes, i;
	struct seen_hash hash;

	for (i = 0; i < count; i++) {
		secret.k[0] = bench_address(worker);
		seen_hash_begin(&hash, &secret, &payload->nh, payload->bytes,
				HEAD);
		seen_hash_append(&hash, payload->bytes + HEAD, len);
		worker->sink += seen_hash_end(&hash);
		bench_fence(worker);
	}
	return i;
}

static u32 by_siphash13(struct bench_worker *worker, u32 count)
{
	const struct payload *payload = worker->run->priv;
	struct seen_secret secret = payload->secret;
	u32 len = worker->run->config.bytes, i;

	for (i = 0; i < count; i++) {
		secret.k[0] = bench_address(worker);
		worker->sink += seen_siphash13(payload->bytes, HEAD + len,
					       &secret);
		bench_fence(worker);
	}
	return i;
}

static void end(struct bench_run *run)
{
	kfree(run->priv);
}

const struct bench_loop bench_by_nh = { "nh", begin, by_nh, end };
const struct bench_loop bench_by_siphash13 = {
	"siphash13", begin, by_siphash13, end
};
