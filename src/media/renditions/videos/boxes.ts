/**
 * Boxes of the ISO base media file format (ISO/IEC 14496-12, section 4.2): 4 bytes of size, 4 of type, then the content. A size of 1
 * means that 8 bytes of size follow the type; 0 means to the end of the file.
 */
export interface Box {
  readonly type: string;
  /** Without the header; empty for a container. */
  readonly content: Buffer;
  /** null: not a container. */
  readonly children: readonly Box[] | null;
}

export interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  /** Of the whole box; null: to the end of the file. */
  readonly bytes: number | null;
}

export const MAX_HEADER_BYTES = 16;
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']);
/** moov / trak / mdia / minf / stbl, and one more. */
const MAX_DEPTH = 6;

/** @returns null when the bytes are no header */
export function readHeader(bytes: Buffer, at = 0): BoxHeader | null {
  if (bytes.length < at + 8) return null;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, headerBytes: 8, bytes: null };
  if (size >= 8) return { type, headerBytes: 8, bytes: size };
  if (size !== 1 || bytes.length < at + 16) return null;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  return large >= 16 ? { type, headerBytes: 16, bytes: large } : null;
}

/** The boxes of a content; what follows a malformed one is left out. */
export function parseBoxes(content: Buffer, depth = 0): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < content.length;) {
    const header = readHeader(content, at);
    if (header === null) break;
    const end = Math.min(content.length, at + (header.bytes ?? content.length - at));
    const inner = content.subarray(at + header.headerBytes, end);
    const isContainer = CONTAINERS.has(header.type) && depth < MAX_DEPTH;
    boxes.push({
      type: header.type,
      content: isContainer ? Buffer.alloc(0) : inner,
      children: isContainer ? parseBoxes(inner, depth + 1) : null,
    });
    at = end;
  }
  return boxes;
}

export function serialize(box: Box): Buffer {
  const content = box.children === null ? box.content : Buffer.concat(box.children.map(serialize));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(box.type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** The first box of a path of types, such as `mdia/minf/stbl`. */
export function find(boxes: readonly Box[], path: string): Box | undefined {
  let [found, among]: [Box | undefined, readonly Box[]] = [undefined, boxes];
  for (const type of path.split('/')) {
    found = among.find((box) => box.type === type);
    among = found?.children ?? [];
  }
  return found;
}
