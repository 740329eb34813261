-- SPDX-License-Identifier: GPL-2.0
-- Wireshark's dissector of trails, the filters that guarded bridges append to frames.
-- kmod/core/trail.h has the format.
--
-- Wireshark hands over what follows the length that a frame's protocol states, also of frames in
-- tunnels. A trail there is found from its end: the suffix, the flags, and a length that leads
-- back to the network header, behind all VLAN tags. Everything else stays Wireshark's padding or
-- trailer. A tag is shown, but not verified: that needs the secret.

local SUFFIX = 0xb688	-- 88 b6 in the frame
local VERSION = 1
local FCS_BYTES, TAG_BYTES, TAIL_BYTES = 4, 4, 8

local trail = Proto("seen_trail", "Trail of seen")
local fields = {
	filter = ProtoField.bytes("seen_trail.filter", "Filter"),
	bits = ProtoField.uint16("seen_trail.bits", "Bits set"),
	tag = ProtoField.uint32("seen_trail.tag", "Tag, not verified", base.HEX),
	nonce = ProtoField.uint16("seen_trail.nonce", "Nonce", base.HEX),
	version = ProtoField.uint8("seen_trail.version", "Version", base.DEC, nil, 0xf0),
	wide = ProtoField.bool("seen_trail.wide", "Filter of 256 bits", 8, nil, 0x04),
	signed = ProtoField.bool("seen_trail.signed", "Signed", 8, nil, 0x02),
	strike = ProtoField.bool("seen_trail.strike", "Strike", 8, nil, 0x01),
	hops = ProtoField.uint8("seen_trail.hops", "Hops"),
	length = ProtoField.uint16("seen_trail.length", "Length from the network header"),
	fcs = ProtoField.uint32("seen_trail.fcs", "Frame check sequence, not verified", base.HEX),
}
trail.fields = fields

-- field(NAME): a function that returns the places of a field in the frame; other versions of
-- Wireshark may not have the field.
local function field(name)
	local known, places = pcall(Field.new, name)
	return known and places or function() end
end

-- What may precede the network header. (Wireshark names the type in an 802.1ad tag ieee8021ah.)
local types = {
	field("eth.type"), field("eth.len"), field("vlan.etype"), field("vlan.len"),
	field("ieee8021ah.etype"), field("ieee8021ah.len"),
}
local frames, paddings = field("frame"), field("eth.padding")
local TAGS = { [0x8100] = true, [0x88a8] = true }

-- Is there a network header "length" bytes before the offset "last"?
local function starts_at(last, length)
	for _, places in ipairs(types) do
		for _, place in ipairs({ places() }) do
			if place.offset + 2 + length == last and not TAGS[place.value] then
				return true
			end
		end
	end
	return false
end

-- The format by the flags: bytes of the filter, of the tag; nil: these are no flags of a trail.
local function format(flags)
	local low = flags % 16

	if flags - low ~= VERSION * 16 or low >= 8 then
		return nil
	end
	return low >= 4 and 32 or 16, low % 4 >= 2 and TAG_BYTES or 0
end

-- The trail at the end of the first "size" bytes of a range: bytes of its filter, of its tag;
-- nil: there is none.
local function find(range, size)
	local filter, tag

	if size < TAIL_BYTES or range(size - 2, 2):le_uint() ~= SUFFIX then
		return nil
	end
	filter, tag = format(range(size - 6, 1):uint())
	if not filter or filter + tag + TAIL_BYTES > size or
	   not starts_at(range:offset() + size, range(size - 4, 2):le_uint()) then
		return nil
	end
	return filter, tag
end

-- The trailer with the padding before it. Wireshark takes zeros up to byte 60 for padding, but a
-- trail may begin there, because switches remove tags. Frames that were decrypted or reassembled
-- are no part of the captured frame; there the trailer alone counts.
local function behind(tvb)
	local first, bytes, frame = tvb:offset(), tvb:len(), frames()
	local range, ahead = tvb(), 0

	for _, place in ipairs({ paddings() }) do
		if place.offset + place.len == first then
			ahead = place.len
		end
	end
	if not frame or first + bytes > frame.range:len() or
	   frame.range(first, bytes):bytes() ~= range:bytes() then
		return range
	end
	return frame.range(first - ahead, ahead + bytes)
end

local function bits_set(range)
	local bytes, count = range:bytes(), 0

	for i = 0, bytes:len() - 1 do
		local byte = bytes:get_index(i)

		while byte > 0 do
			count = count + byte % 2
			byte = math.floor(byte / 2)
		end
	end
	return count
end

local function show(range, filter, tag, tree)
	local tail = filter + tag
	local hops, flags = range(tail + 3, 1), range(tail + 2, 1)
	local part = tree:add(trail, range)

	part:append_text(string.format(", hops %d", hops:uint()))
	part:add(fields.filter, range(0, filter))
	part:add(fields.bits, range(0, filter), bits_set(range(0, filter))):set_generated()
	if tag > 0 then
		part:add_le(fields.tag, range(filter, tag))
	end
	part:add_le(fields.nonce, range(tail, 2))
	for _, name in ipairs({ "version", "wide", "signed", "strike" }) do
		part:add(fields[name], flags)
	end
	part:add(fields.hops, hops)
	part:add_le(fields.length, range(tail + 4, 2))
end

-- A capture may have the FCS without saying so; then it is the end of what is handed over.
local function dissect(tvb, _, tree)
	local range

	if tvb:len() < tvb:reported_len() then
		return false
	end
	range = behind(tvb)
	for _, fcs in ipairs({ 0, FCS_BYTES }) do
		local size = range:len() - fcs
		local filter, tag = find(range, size)

		if filter then
			local bytes = filter + tag + TAIL_BYTES

			show(range(size - bytes, bytes), filter, tag, tree)
			if fcs > 0 then
				tree:add(fields.fcs, range(size, fcs))
			end
			return true
		end
	end
	return false
end

trail:register_heuristic("eth.trailer", dissect)
