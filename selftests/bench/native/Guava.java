// SPDX-License-Identifier: GPL-2.0
// Measures Guava's BloomFilter like bench.c measures other filters: KEYS LEN 2M|4K ROUND.

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

final class Guava {
	static final int QUERIES = 1 << 20;
	static final int BITS = 12;
	// (1/2)^(m/n ln 2): the rate for as many bits per key as the other filters have.
	static final double FPP = Math.exp(-BITS * Math.log(2) * Math.log(2));
	static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

	static long keys;
	static int len;
	static String pages;
	static long round;
	static long asked;
	static long strangers;
	static boolean wrong;

	interface Ask {
		boolean of(byte[] key);
	}

	static long remix(long hash) {
		hash ^= hash >>> 33;
		hash *= 0xff51afd7ed558ccdL;
		hash ^= hash >>> 33;
		hash *= 0xc4ceb9fe1a85ec53L;
		return hash ^ (hash >>> 33);
	}

	static byte[] key(long number) {
		byte[] key = new byte[len];

		number += (round + 1) << 40;
		for (int at = 0; at < len; at++)
			key[at] = (byte)(remix(number * 8 + at / 8 + 1) >>> 8 * (at % 8));
		return key;
	}

	static long run(byte[][] what, Ask ask) {
		long hits = 0;

		for (byte[] key : what)
			if (ask.of(key))
				hits++;
		return hits;
	}

	static void print(String op, int percent, double ns, long count, long inside, long seen,
			  long bytes) {
		System.out.printf("{\"contender\": \"guava\", \"op\": \"%s\", \"keys\": %d, "
			+ "\"len\": %d, \"percent\": %d, \"pages\": \"%s\", \"round\": %d, "
			+ "\"ns\": %.4f, \"count\": %d, \"inside\": %d, \"seen\": %d, "
			+ "\"bytes\": %d}%n", op, keys, len, percent, pages, round, ns / count,
			count, inside, seen, bytes);
		wrong |= percent != 0 && seen < inside;
	}

	static long draw(byte[][] to, int percent) {
		long inside = 0;

		for (int i = 0; i < to.length; i++) {
			if (Long.remainderUnsigned(remix(asked + i + 1), 100) < percent)
				to[i] = key((asked + inside++) * 982451653L % keys);
			else
				to[i] = key((1L << 39) + strangers++);
		}
		asked += inside;
		return inside;
	}

	static BloomFilter<byte[]> make() {
		return BloomFilter.create(Funnels.byteArrayFunnel(), keys, FPP);
	}

	/** Returns ns; a part of the keys at a time, since objects take room. */
	static double fill(BloomFilter<byte[]> filter) {
		double ns = 0;

		for (long from = 0; from < keys; from += QUERIES) {
			byte[][] part = new byte[(int)Math.min(QUERIES, keys - from)][];

			for (int i = 0; i < part.length; i++)
				part[i] = key(from + i);
			long begin = CLOCK.getCurrentThreadCpuTime();
			run(part, filter::put);
			ns += CLOCK.getCurrentThreadCpuTime() - begin;
		}
		return ns;
	}

	static void ask(BloomFilter<byte[]> filter, boolean tell) {
		byte[][] queries = new byte[QUERIES][];
		long bytes = (long)(-keys * Math.log(FPP) / (Math.log(2) * Math.log(2)) / 8);

		for (int percent = 0; percent <= 100; percent += 50) {
			long inside = draw(queries, percent);
			long begin = CLOCK.getCurrentThreadCpuTime();
			long seen = run(queries, filter::mightContain);
			long ns = CLOCK.getCurrentThreadCpuTime() - begin;

			if (tell)
				print("lookup", percent, ns, QUERIES, inside, seen, bytes);
		}
	}

	public static void main(String[] args) {
		keys = Long.parseLong(args[0]);
		len = Integer.parseInt(args[1]);
		pages = args[2];
		round = Long.parseLong(args[3]);

		BloomFilter<byte[]> filter = make();

		// The compiler has seen all of it before anything is measured.
		for (long done = 0; done < 4 * QUERIES; done += keys) {
			filter = make();
			fill(filter);
		}
		for (int i = 0; i < 4; i++)
			ask(filter, false);
		double ns = 0;
		long count = 0;

		for (; count < QUERIES; count += keys) {
			filter = make();
			ns += fill(filter);
		}
		print("insert", 0, ns, count, 0, count, 0);
		ask(filter, true);
		System.exit(wrong ? 1 : 0);
	}
}
