import { checksumHeaderName } from '../body/checksums.js';
import type { ObjectFacts } from '../store/object-file.js';
import { element } from '../wire/xml.js';

/** How answers name the checksum of an object or part. */
export function checksumHeaders({ checksum, checksumType }: Partial<ObjectFacts>): Record<string, string> {
  if (!checksum) return {};
  const headers: Record<string, string> = { [checksumHeaderName(checksum.algorithm)]: checksum.value };
  if (checksumType) headers['x-amz-checksum-type'] = checksumType;
  return headers;
}

/** The same as elements, such as ChecksumCRC32. */
export const checksumElements = ({ checksum, checksumType }: Partial<ObjectFacts>): string[] =>
  checksum
    ? [
        element(checksumElementName(checksum.algorithm), checksum.value),
        element('ChecksumType', checksumType),
      ]
    : [];

export const checksumElementName = (algorithm: string): string => `Checksum${algorithm.toUpperCase()}`;
