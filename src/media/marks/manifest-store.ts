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
