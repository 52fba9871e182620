import iconv from 'iconv-lite';

/** Decodes a file chunk by chunk. Invalid bytes become U+FFFD. */
export interface ChunkDecoder {
  readonly write: (chunk: Buffer) => string;
  readonly end: () => string;
}

/** @param label as `canonicalLabel` writes it. A byte order mark is removed. */
export function chunkDecoder(label: string): ChunkDecoder {
  if (!isOfTheStandard(label)) {
    const decoder = iconv.getDecoder(label);
    return { write: (chunk) => decoder.write(chunk), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(label);
  return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}

/**
 * The label of the WHATWG Encoding Standard; for code pages of DOS and the Macintosh that it lacks, such as `cp852`, the
 * name of iconv-lite. Undefined for an unknown name.
 */
export function canonicalLabel(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const label = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    return CODE_PAGE.test(label) && iconv.encodingExists(label) ? label : undefined;
  }
}

/** A subset of iconv-lite: `base64` and `hex` are not text encodings. */
const CODE_PAGE = /^(cp|ibm|mac)\w+$/;

function isOfTheStandard(label: string): boolean {
  try {
    return new TextDecoder(label).encoding === label;
  } catch {
    return false;
  }
}
