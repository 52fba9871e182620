import { readHeader } from '../container/box-header.js';

/** The extended type of the box for XMP (XMP part 3, "MPEG-4"). */
export const XMP_BOX_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/** A box `uuid` with an XMP packet. */
export function xmpBox(packet: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + XMP_BOX_ID.length + packet.length);
  header.write('uuid', 4, 'latin1');
  return Buffer.concat([header, XMP_BOX_ID, packet]);
}

/** In a box at the end. The index names packets by their place in the file: an earlier XMP box becomes free space. */
export function withXmpInMp4(bytes: Buffer, packet: Buffer): Buffer | null {
  const changed = Buffer.from(bytes);
  let at = 0;
  while (at < changed.length) {
    const header = readHeader(changed, at);
    // A box without a length goes to the end of the file.
    const end = at + (header?.bytes ?? Infinity);
    if (header === null || end > changed.length) return null;
    const content = changed.subarray(at + header.headerBytes, end);
    if (header.type === 'uuid' && content.subarray(0, XMP_BOX_ID.length).equals(XMP_BOX_ID)) {
      changed.write('free', at + 4, 'latin1');
      content.fill(0);
    }
    at = end;
  }
  return at > 0 ? Buffer.concat([changed, xmpBox(packet)]) : null;
}
