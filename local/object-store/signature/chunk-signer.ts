import { S3Error } from '../wire/s3-error.js';
import type { SignatureParameters } from './signature-parameters.js';
import { ALGORITHM, isSameSignature, scopeText, sha256Hex, signatureOf } from './signing.js';

/** Each chunk is signed together with the signature of what came before it. */
export interface ChunkSigner {
  /** @param sha256 of the bytes of the chunk, in hex @throws S3Error SignatureDoesNotMatch */
  chunk(signature: string | undefined, sha256: string): void;
  /** @param lines of the trailer without its signature @throws S3Error SignatureDoesNotMatch */
  trailer(signature: string | undefined, lines: readonly string[]): void;
}

const OF_NOTHING = sha256Hex('');

export function chunkSigner(
  { signature: seed, timestamp, scope }: SignatureParameters,
  key: Buffer,
): ChunkSigner {
  let previous = seed;
  const check = (signature: string | undefined, kind: string, hashes: readonly string[]) => {
    const expected = signatureOf(key, [
      `${ALGORITHM}-${kind}`,
      timestamp,
      scopeText(scope),
      previous,
      ...hashes,
    ]);
    if (!isSameSignature(signature ?? '', expected)) throw new S3Error('SignatureDoesNotMatch');
    previous = expected;
  };
  return {
    chunk: (signature, sha256) => check(signature, 'PAYLOAD', [OF_NOTHING, sha256]),
    trailer: (signature, lines) =>
      check(signature, 'TRAILER', [sha256Hex(lines.map((line) => `${line}\n`).join(''))]),
  };
}
