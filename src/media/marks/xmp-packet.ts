import type { AiMark } from '#libs/content';

/** A mark that a file can carry. */
export type WrittenMark = Exclude<AiMark, 'none'>;

/** https://cv.iptc.org/newscodes/digitalsourcetype/ */
const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
export const TERMS: Readonly<Record<WrittenMark, string>> = {
  generated: 'trainedAlgorithmicMedia',
  composite: 'compositeWithTrainedAlgorithmicMedia',
};
/** The packets of cameras and editors have some kilobytes. */
export const MAX_PACKET_BYTES = 1024 * 1024;

/** An XMP packet (XMP part 1, section 7.3) that has nothing but the IPTC digital source type. */
export const xmpPacket = (mark: WrittenMark): Buffer =>
  Buffer.from(
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
      `<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">` +
      `<Iptc4xmpExt:DigitalSourceType>${VOCABULARY}${TERMS[mark]}</Iptc4xmpExt:DigitalSourceType>` +
      `</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
  );

/**
 * The property as an element, as an attribute, or as an element that refers to a resource. No part of the pattern is without a bound: the
 * time is linear in the length of the packet.
 */
const PROPERTY =
  /:DigitalSourceType\s{0,9}(?:=\s{0,9}["']([^"'<>]{1,200})["']|[^<>]{0,99}:resource\s{0,9}=\s{0,9}["']([^"'<>]{1,200})["']|[^<>]{0,99}>([^<>]{1,200})<)/g;

/**
 * The mark in an XMP packet. A file that makes several claims has the strongest one. The packet is searched, not parsed: a broken one
 * counts as far as it can be read, and no entity of a document type is expanded.
 * @returns null for a packet of more than 1 MiB, which is not read
 */
export function markIn(packet: Uint8Array | undefined): AiMark | null {
  if (packet === undefined) return 'none';
  if (packet.length > MAX_PACKET_BYTES) return null;
  const text = new TextDecoder().decode(packet);
  const terms = text.matchAll(PROPERTY).map(([, ...values]) => termOf(values.find((value) => value) ?? ''));
  const claimed = new Set(terms);
  if (claimed.has(TERMS.generated)) return 'generated';
  return claimed.has(TERMS.composite) ? 'composite' : 'none';
}

/** The last part of the address: files name it with http and with https, and some name the term alone. */
const termOf = (value: string): string => withoutReferences(value).trim().split('/').at(-1) ?? '';

/** Character references of XML, decimal and hexadecimal. */
const withoutReferences = (value: string): string =>
  value.replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
