// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "capture_out.h"
#include "linktype.h"
#include "seenctl.h"

#define MAGIC_NANO	0xa1b23c4d
/* Maximum length of a packet in bytes that libpcap and wiretap accept. */
#define SNAPLEN		262144
#define SECOND		1000000000
/* Offset of the section length in a section header. */
#define LENGTH_AT	16

struct pcap_head {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t reserved[2];
	uint32_t snaplen;
	uint32_t type;
};

struct pcap_record {
	uint32_t second;
	uint32_t ns;
	uint32_t captured;
	uint32_t len;
};

bool capture_out_named(const char *path, const char *suffix)
{
	const char *end = pack_suffix(path);
	size_t size = strlen(suffix);

	return end - path >= (ptrdiff_t)size &&
	       !strncasecmp(end - size, suffix, size);
}

static bool asks_for_pcap(const char *path)
{
	return capture_out_named(path, ".pcap") ||
	       capture_out_named(path, ".cap");
}

static int put_bytes(struct capture_out *out, const void *bytes, size_t size)
{
	out->err = pack_write(&out->to, bytes, size);
	return out->err ? refused("%s: %s", out->path, strerror(-out->err)) :
			  DONE;
}

int capture_out_open(struct capture_out *out, const struct capture *in, int fd,
		     const char *path)
{
	int err;

	*out = (struct capture_out) {
		.path = path,
		.sections = in->format == &capture_ng,
		.convert = in->format == &capture_ng && asks_for_pcap(path),
		.type = LINKTYPE_ETHERNET,
	};
	err = pack_open(&out->to, fd, path);
	if (!err)
		return DONE;
	pack_close(&out->to, err);
	return refused("%s: %s", path, strerror(-err));
}

static int begin_pcap(struct capture_out *out, uint32_t type, uint32_t port)
{
	const struct pcap_head head = {
		.magic = MAGIC_NANO,
		.major = 2,
		.minor = 4,
		.snaplen = SNAPLEN,
		.type = type,
	};

	out->begun = true;
	out->type = type;
	out->port = port;
	return put_bytes(out, &head, sizeof(head));
}

static int refuse_type(struct capture_out *out, uint32_t type)
{
	char first[LINKTYPE_NAME_LEN], other[LINKTYPE_NAME_LEN];

	out->err = -EINVAL;
	return refused("%s: pcap has one link type, not %s and %s; name the output .pcapng",
		       out->path, linktype_name(out->type, first),
		       linktype_name(type, other));
}

static int convert_packet(struct capture_out *out,
			  const struct capture_record *record)
{
	const struct capture_packet *packet = &record->packet;
	const struct pcap_record head = {
		packet->time / SECOND, packet->time % SECOND,
		packet->captured, packet->len,
	};
	int status = DONE;

	if (packet->captured > SNAPLEN) {
		out->longer++;
		return DONE;
	}
	if (!out->begun)
		status = begin_pcap(out, packet->type, record->port);
	else if (packet->type != out->type)
		status = refuse_type(out, packet->type);
	if (!status)
		status = put_bytes(out, &head, sizeof(head));
	out->others += record->port != out->port;
	out->options += record->options;
	return status ? status : put_bytes(out, packet->bytes, packet->captured);
}

static int convert(struct capture_out *out, const struct capture_record *record)
{
	switch (record->kind) {
	case CAPTURE_PACKET:
		return convert_packet(out, record);
	case CAPTURE_INTERFACE:
		out->interfaces += record->options;
		return DONE;
	case CAPTURE_OTHER:
		out->blocks++;
		return DONE;
	case CAPTURE_HEAD:
		return DONE;
	}
	return DONE;
}

/* Without some packets the section is shorter than its header states, so write -1: unknown. */
static int write_section(struct capture_out *out,
			 const struct capture_record *record)
{
	static const uint8_t unknown[8] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	size_t rest = LENGTH_AT + sizeof(unknown);
	int status = put_bytes(out, record->raw, LENGTH_AT);

	if (!status)
		status = put_bytes(out, unknown, sizeof(unknown));
	return status ? status :
	       put_bytes(out, record->raw + rest, record->size - rest);
}

int capture_out_write(struct capture_out *out,
		      const struct capture_record *record)
{
	if (out->convert)
		return convert(out, record);
	if (record->kind == CAPTURE_HEAD && out->sections)
		return write_section(out, record);
	return put_bytes(out, record->raw, record->size);
}

int capture_out_close(struct capture_out *out)
{
	bool said;
	int err;

	if (out->convert && !out->begun && !out->err)
		begin_pcap(out, out->type, 0);
	said = out->err;
	err = pack_close(&out->to, out->err);
	if (err && !said)
		refused("%s: %s", out->path, strerror(-err));
	return err ? REFUSED : DONE;
}
