import { readHeader } from '../../container/box-header.js';

/** A box of the ISO base media file format (ISO/IEC 14496-12, section 4.2). */
export interface Box {
  readonly type: string;
  /** Without the header; empty for a container. */
  readonly content: Buffer;
  /** null: not a container. */
  readonly children: readonly Box[] | null;
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']);
/** moov / trak / mdia / minf / stbl, and one more. */
const MAX_DEPTH = 6;

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
