// SPDX-License-Identifier: GPL-2.0
/*
 * Work of the kernel without the module, in amounts like those of the commands: tables are
 * allocated and freed, files are read and copied, a thousand objects are dumped.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "work.h"

#define ADDRESSES	1000
#define CHUNK		65536
/* The file has this fraction of the size and is read so often, to leave memory for a ring. */
#define PARTS		16
#define COPY		"/tmp/load.copy"
#define LOOPBACK	1
#define ASKED		1000

/* --- tables ----------------------------------------------------------------------- */

/*
 * A packet socket's ring of one block: from 8 MiB on it is allocated by vmalloc, like a filter,
 * but never with huge pages. A user-mode kernel maps and unmaps such memory page by page, under
 * a spinlock, by system calls of its host, which may explain most of a gap.
 */
static int ring;

/* The socket has no protocol, so it gets no packets. */
static int make(uint64_t bytes)
{
	struct tpacket_req req = {
		.tp_block_size = bytes,
		.tp_block_nr = 1,
		.tp_frame_size = CHUNK,
		.tp_frame_nr = bytes / CHUNK,
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fatal("socket");
	if (setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req)))
		fatal("PACKET_RX_RING");
	return fd;
}

static void make_ring(uint64_t bytes)
{
	ring = make(bytes);
}

static void free_ring(uint64_t bytes)
{
	(void)bytes;
	close(ring);
}

/* Like a flush: allocates a second ring, then frees the first. */
static void replace_ring(uint64_t bytes)
{
	int other = make(bytes);

	free_ring(bytes);
	ring = other;
}

const struct work plain_make = {
	"a ring is made", NULL, make_ring, NULL, free_ring
};
const struct work plain_free = {
	"a ring is freed", make_ring, free_ring, NULL, NULL
};
const struct work plain_replace = {
	"a ring is made, another freed", make_ring, replace_ring, NULL,
	free_ring
};

/* --- files ------------------------------------------------------------------------ */

static int from, to;
static uint8_t chunk[CHUNK];

static void write_file(int fd, uint64_t bytes)
{
	for (; bytes; bytes -= CHUNK)
		if (write(fd, chunk, CHUNK) != CHUNK)
			fatal("write");
}

static void read_file(int fd, uint64_t bytes)
{
	for (; bytes; bytes -= CHUNK)
		if (read(fd, chunk, CHUNK) != CHUNK)
			fatal("read");
}

static void rewind_file(int fd)
{
	if (lseek(fd, 0, SEEK_SET))
		fatal("lseek");
}

/* A file in memory, so that nothing waits for a disk. */
static int memory_file(uint64_t bytes)
{
	int fd = memfd_create("load", MFD_CLOEXEC);

	if (fd < 0)
		fatal("memfd_create");
	write_file(fd, bytes);
	rewind_file(fd);
	return fd;
}

static void close_one(uint64_t bytes)
{
	(void)bytes;
	close(from);
}

static void open_and_make(uint64_t bytes)
{
	from = memory_file(bytes / PARTS);
	make_ring(bytes);
}

/* Like a fold to a very small table. */
static void read_and_free(uint64_t bytes)
{
	int i;

	for (i = 0; i < PARTS; i++) {
		rewind_file(from);
		read_file(from, bytes / PARTS);
	}
	free_ring(bytes);
}

static void open_two(uint64_t bytes)
{
	from = memory_file(bytes);
	to = memory_file(bytes);
}

static void copy(uint64_t bytes)
{
	for (; bytes; bytes -= CHUNK) {
		read_file(from, CHUNK);
		write_file(to, CHUNK);
	}
}

static void close_two(uint64_t bytes)
{
	close_one(bytes);
	close(to);
}

/* In the file system to which snapshots are written. */
static void write_and_read(uint64_t bytes)
{
	int fd = open(COPY, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		fatal(COPY);
	write_file(fd, bytes);
	rewind_file(fd);
	read_file(fd, bytes);
	close(fd);
}

/* Like an export and an import. */
static void write_read_and_replace(uint64_t bytes)
{
	write_and_read(bytes);
	replace_ring(bytes);
}

static void free_and_remove(uint64_t bytes)
{
	free_ring(bytes);
	if (unlink(COPY))
		fatal(COPY);
}

const struct work plain_read = {
	"a file is read, a ring freed", open_and_make, read_and_free, NULL,
	close_one
};
const struct work plain_copy = {
	"a file is copied", open_two, copy, NULL, close_two
};
const struct work plain_files = {
	"a file is written and read, a ring made, another freed", make_ring,
	write_read_and_replace, NULL, free_and_remove
};

/* --- netlink ---------------------------------------------------------------------- */

static struct nl_sock *sock;

static void must(int err)
{
	if (err >= 0)
		return;
	errno = 0;
	fatal(nl_geterror(err));
}

static void open_route(void)
{
	if (sock)
		return;
	sock = nl_socket_alloc();
	if (!sock)
		fatal("nl_socket_alloc");
	must(nl_connect(sock, NETLINK_ROUTE));
}

static void send_address(int type, int flags, uint32_t address)
{
	struct ifaddrmsg head = {
		.ifa_family = AF_INET,
		.ifa_prefixlen = 32,
		.ifa_index = LOOPBACK,
	};
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags | NLM_F_ACK);

	if (!msg)
		fatal("nlmsg_alloc_simple");
	address = htonl(address);
	must(nlmsg_append(msg, &head, sizeof(head), NLMSG_ALIGNTO));
	must(nla_put(msg, IFA_LOCAL, sizeof(address), &address));
	must(nl_send_auto(sock, msg));
	nlmsg_free(msg);
	must(nl_wait_for_ack(sock));
}

static uint32_t address(uint32_t i)
{
	return 10U << 24 | (i + 1);
}

static void add_addresses(uint64_t bytes)
{
	uint32_t i;

	(void)bytes;
	open_route();
	for (i = 0; i < ADDRESSES; i++)
		send_address(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL,
			     address(i));
}

static void delete_addresses(uint64_t bytes)
{
	uint32_t i;

	(void)bytes;
	for (i = 0; i < ADDRESSES; i++)
		send_address(RTM_DELADDR, 0, address(i));
}

/* Number of answers in the dump. A global, because the socket keeps its callback. */
static uint32_t told;

static int count_one(struct nl_msg *msg, void *unused)
{
	(void)msg;
	(void)unused;
	told++;
	return NL_OK;
}

static void dump_addresses(uint64_t bytes)
{
	struct ifaddrmsg head = { .ifa_family = AF_INET };

	(void)bytes;
	told = 0;
	must(nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, count_one,
				 NULL));
	must(nl_send_simple(sock, RTM_GETADDR, NLM_F_DUMP, &head,
			    sizeof(head)));
	must(nl_recvmsgs_default(sock));
	if (told < ADDRESSES)
		fatal("addresses are missing");
}

static void begin_asking(uint64_t bytes)
{
	(void)bytes;
	open_route();
}

/* Requests many dumps of a few addresses. */
static void ask(uint64_t bytes)
{
	struct ifaddrmsg head = { .ifa_family = AF_INET };
	uint32_t i;

	(void)bytes;
	for (i = 0; i < ASKED; i++) {
		must(nl_send_simple(sock, RTM_GETADDR, NLM_F_DUMP, &head,
				    sizeof(head)));
		must(nl_recvmsgs_default(sock));
		usleep(1000);
	}
}

const struct work plain_dump = {
	"dump of 1000 addresses", add_addresses, dump_addresses, NULL,
	delete_addresses
};
const struct work plain_ask = {
	"addresses are asked for", begin_asking, ask, NULL, NULL
};
