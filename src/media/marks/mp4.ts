import { readHeader } from '../container/iso-boxes.js';

/** The type in the description box of a C2PA manifest store (C2PA 2.1, section 11.1.4). */
const STORE_TYPE = Buffer.from('6332706100110010800000aa00389b71', 'hex');

/** Whether a JUMBF box is a manifest store: its first child describes it. JPEG has JUMBF boxes for other things too. */
export function isManifestStore(box: Buffer): boolean {
  const store = readHeader(box);
  const description = store && readHeader(box, store.headerBytes);
  if (store?.type !== 'jumb' || description?.type !== 'jumd') return false;
  const at = store.headerBytes + description.headerBytes;
  return box.subarray(at, at + STORE_TYPE.length).equals(STORE_TYPE);
}

/** The extended type of the box for XMP (XMP part 3, "MPEG-4"). */
export const XMP_BOX_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
/** The extended type of the box for a manifest store (C2PA 2.1, "Embedding manifests into BMFF-based assets"). */
export const MANIFEST_BOX_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');

export function xmpBox(packet: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + XMP_BOX_ID.length + packet.length);
  header.write('uuid', 4, 'latin1');
  return Buffer.concat([header, XMP_BOX_ID, packet]);
}

interface Box {
  readonly start: number;
  /** Without its header. */
  readonly content: Buffer;
  readonly type: string;
  /** Has no length: it goes to the end of the file. */
  readonly isOpen: boolean;
}

/** In a box at the end. The index names packets by their place in the file: an earlier XMP box becomes free space. */
export function withXmpInMp4(bytes: Buffer, packet: Buffer): Buffer | null {
  const changed = Buffer.from(bytes);
  const boxes = boxesOf(changed);
  if (!boxes?.length || boxes.some(({ isOpen }) => isOpen)) return null;
  for (const { start, content } of boxes.filter((box) => hasId(box, XMP_BOX_ID))) {
    changed.write('free', start + 4, 'latin1');
    content.fill(0);
  }
  return Buffer.concat([changed, xmpBox(packet)]);
}

/** In boxes `uuid` of the top level; before the store come its version, a purpose and an offset. */
export const manifestsInIso = (bytes: Buffer): Buffer[] | null =>
  boxesOf(bytes)
    ?.filter((box) => hasId(box, MANIFEST_BOX_ID))
    .map(({ content }) => content) ?? null;

/** Of the top level. @returns null: one is malformed, or ends after the file */
function boxesOf(bytes: Buffer): Box[] | null {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    const header = readHeader(bytes, at);
    if (header === null) return null;
    const isOpen = header.bytes === null;
    const end = header.bytes === null ? bytes.length : at + header.bytes;
    if (end > bytes.length) return null;
    const content = bytes.subarray(at + header.headerBytes, end);
    boxes.push({ type: header.type, start: at, content, isOpen });
    at = end;
  }
  return boxes;
}

const hasId = ({ type, content }: Box, id: Buffer): boolean =>
  type === 'uuid' && content.subarray(0, id.length).equals(id);
