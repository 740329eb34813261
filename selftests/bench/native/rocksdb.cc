// SPDX-License-Identifier: GPL-2.0
/*
 * RocksDB's filters. Its block Bloom filter is measured in two ways: by its own inline functions
 * with AVX2 and a ready hash; and as RocksDB uses it, through its policy, which hashes. The
 * internal headers are from Debian's source package of the same version.
 */
#include <memory>
#include <string>

#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "table/block_based/filter_policy_internal.h"
#include "util/bloom_impl.h"

#include "bench.h"

using rocksdb::FastLocalBloomImpl;

namespace {

constexpr int kBits = 12;
constexpr u64 kLine = 64;

/* RocksDB's table alone, and the buffers that its reader holds. */
struct Bare {
	char *data;
	u32 bytes;
	int probes;

	bool lookup(u64 hash) const
	{
		return FastLocalBloomImpl::HashMayMatch(u32(hash >> 32), u32(hash), bytes,
							probes, data);
	}

	void insert(u64 hash)
	{
		FastLocalBloomImpl::AddHash(u32(hash >> 32), u32(hash), bytes, probes, data);
	}
};

void *bare_make(u64 capacity, u32)
{
	Bare *bare = new Bare;

	bare->bytes = (capacity * kBits / 8 + kLine - 1) / kLine * kLine;
	bare->probes = FastLocalBloomImpl::ChooseNumProbes(kBits * 1000);
	bare->data = static_cast<char *>(memory_get(bare->bytes));
	return bare;
}

u64 bare_bytes(const void *self)
{
	return static_cast<const Bare *>(self)->bytes;
}

void bare_destroy(void *self)
{
	Bare *bare = static_cast<Bare *>(self);

	memory_put(bare->data, bare->bytes);
	delete bare;
}

template <bool fenced, typename Ask> u64 each(const struct keys *keys, Ask ask)
{
	u64 hits = 0;

	for (u64 i = 0; i < keys->count; i++) {
		hits += ask(i);
		if (fenced)
			fence();
	}
	return hits;
}

u64 bare_insert(void *self, const struct keys *keys)
{
	Bare bare = *static_cast<Bare *>(self);

	return each<false>(keys, [&](u64 i) {
		bare.insert(keys->hash[i]);
		return true;
	});
}

template <bool fenced> u64 bare_lookup(void *self, const struct keys *keys)
{
	const Bare bare = *static_cast<Bare *>(self);

	return each<fenced>(keys, [&](u64 i) { return bare.lookup(keys->hash[i]); });
}

/* Test-and-add in two steps: a lookup, and an insert if the key is absent. */
template <bool fenced> u64 bare_fused(void *self, const struct keys *keys)
{
	Bare bare = *static_cast<Bare *>(self);

	return each<fenced>(keys, [&](u64 i) {
		if (bare.lookup(keys->hash[i]))
			return true;
		bare.insert(keys->hash[i]);
		return false;
	});
}

/* As many at once as its own readers take. */
u64 bare_batch(void *self, const struct keys *keys)
{
	constexpr u64 kBatch = 32;
	const Bare bare = *static_cast<Bare *>(self);
	u32 offset[kBatch];
	u64 hits = 0;

	for (u64 at = 0; at < keys->count; at += kBatch) {
		u64 count = std::min(kBatch, keys->count - at);

		for (u64 i = 0; i < count; i++)
			FastLocalBloomImpl::PrepareHash(u32(keys->hash[at + i] >> 32),
							bare.bytes, bare.data, &offset[i]);
		for (u64 i = 0; i < count; i++)
			hits += FastLocalBloomImpl::HashMayMatchPrepared(
				u32(keys->hash[at + i]), bare.probes,
				bare.data + offset[i]);
	}
	return hits;
}

/* A filter that is built once, from all its keys, and then read. */
struct Built {
	std::shared_ptr<const rocksdb::FilterPolicy> policy;
	std::unique_ptr<rocksdb::FilterBitsReader> reader;
	std::unique_ptr<const char[]> buffer;
	rocksdb::Slice content;
};

void *bloom_make(u64, u32)
{
	Built *built = new Built;

	built->policy.reset(rocksdb::NewBloomFilterPolicy(kBits));
	return built;
}

void *ribbon_make(u64, u32)
{
	Built *built = new Built;

	built->policy.reset(rocksdb::NewRibbonFilterPolicy(kBits));
	return built;
}

u64 built_bytes(const void *self)
{
	return static_cast<const Built *>(self)->content.size();
}

void built_destroy(void *self)
{
	delete static_cast<Built *>(self);
}

rocksdb::Slice slice(const struct keys *keys, u64 i)
{
	return rocksdb::Slice(reinterpret_cast<const char *>(keys->bytes) + i * keys->len,
			      keys->len);
}

u64 built_insert(void *self, const struct keys *keys)
{
	Built *built = static_cast<Built *>(self);
	const rocksdb::BlockBasedTableOptions options;
	const rocksdb::FilterBuildingContext context(options);
	std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
		const_cast<rocksdb::FilterBitsBuilder *>(
			built->policy->GetBuilderWithContext(context)));

	for (u64 i = 0; i < keys->count; i++)
		builder->AddKey(slice(keys, i));
	built->content = builder->Finish(&built->buffer);
	built->reader.reset(built->policy->GetFilterBitsReader(built->content));
	return keys->count;
}

template <bool fenced> u64 built_lookup(void *self, const struct keys *keys)
{
	Built *built = static_cast<Built *>(self);

	return each<fenced>(keys, [&](u64 i) {
		return built->reader->MayMatch(slice(keys, i));
	});
}

struct contender bare_contender()
{
	struct contender c = {};

	c.name = "rocksdb bloom";
	c.exact = true;
	c.make = bare_make;
	c.bytes = bare_bytes;
	c.destroy = bare_destroy;
	c.run[OP_INSERT] = bare_insert;
	c.run[OP_LOOKUP] = bare_lookup<false>;
	c.run[OP_LOOKUP_SERIAL] = bare_lookup<true>;
	c.run[OP_LOOKUP_BATCH] = bare_batch;
	c.run[OP_FUSED] = bare_fused<false>;
	c.run[OP_FUSED_SERIAL] = bare_fused<true>;
	return c;
}

struct contender built_contender(const char *name, void *(*make)(u64, u32))
{
	struct contender c = {};

	c.name = name;
	c.whole = true;
	c.exact = true;
	c.make = make;
	c.bytes = built_bytes;
	c.destroy = built_destroy;
	c.run[OP_INSERT] = built_insert;
	c.run[OP_LOOKUP] = built_lookup<false>;
	c.run[OP_LOOKUP_SERIAL] = built_lookup<true>;
	return c;
}

} // namespace

extern const struct contender contenders[];

const struct contender contenders[] = {
	bare_contender(),
	built_contender("rocksdb bloom", bloom_make),
	built_contender("rocksdb ribbon", ribbon_make),
	{},
};

void contenders_init(bool)
{
}
