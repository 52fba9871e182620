/** An entry of an edit list (ISO/IEC 14496-12, section 8.6.6). */
export interface Edit {
  /** In the time scale of the movie. */
  readonly duration: number;
  /** In the time scale of the track; -1: nothing is shown. */
  readonly mediaTime: number;
  readonly rate: number;
}

/** @param content of `elst`, or its beginning. @returns the entries that are there in whole */
export function readEdits(content: Buffer): Edit[] {
  const isLong = content.length > 0 && content[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  const available = Math.floor((content.length - 8) / entryBytes);
  const count = content.length < 8 ? 0 : Math.min(content.readUInt32BE(4), available);
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * entryBytes;
    return {
      duration: isLong ? Number(content.readBigUInt64BE(at)) : content.readUInt32BE(at),
      mediaTime: isLong ? Number(content.readBigInt64BE(at + 8)) : content.readInt32BE(at + 4),
      rate: content.readInt32BE(at + entryBytes - 4) / 0x10000,
    };
  });
}
