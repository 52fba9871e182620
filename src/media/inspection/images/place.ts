/** As XMP and the assertions of manifests name it. */
const GPS = 'GPSL';
/** Of the directory with the place, in the first directory of EXIF (CIPA DC-008, section 4.6.3). */
const GPS_DIRECTORY = 0x8825;
const ENTRY_BYTES = 12;
const HEADER = Buffer.from('Exif\0\0', 'latin1');

/** Whether a picture says where it was taken, as EXIF, XMP or a manifest. EXIF that cannot be read counts as yes. */
export const namesAPlace = (bytes: Buffer, exif: Buffer | undefined): boolean =>
  bytes.includes(GPS) || (exif !== undefined && directoryNamesAPlace(exif));

function directoryNamesAPlace(exif: Buffer): boolean {
  const tiff = exif.subarray(0, HEADER.length).equals(HEADER) ? exif.subarray(HEADER.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || !['II', 'MM'].includes(order)) return true;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.length) return true;
  const end = start + 2 + short(start) * ENTRY_BYTES;
  if (end > tiff.length) return true;
  for (let at = start + 2; at < end; at += ENTRY_BYTES) if (short(at) === GPS_DIRECTORY) return true;
  return false;
}
