import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { matchesEtag } from '../etag/etag.js';

interface Encoded {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  /** One for both encodings: weak, because their bytes differ. */
  readonly etag: string;
}

/** Serves the OpenAPI document, which never changes while the process runs: compressed for those who accept it, with an ETag. */
export function serveDocument(document: () => OpenAPIObject) {
  let encoded: Encoded | undefined;
  return (request: Request, response: Response): void => {
    encoded ??= encode(document());
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', encoded.etag);
    if (matchesEtag(encoded.etag.slice(2), request.headers['if-none-match'])) {
      response.status(304).end();
      return;
    }
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    response.type('application/json').send(isCompressed ? encoded.gzip : encoded.plain);
  };
}

function encode(document: OpenAPIObject): Encoded {
  const plain = Buffer.from(JSON.stringify(document));
  const digest = createHash('sha256').update(plain).digest('base64url');
  return { plain, gzip: gzipSync(plain), etag: `W/"${digest}"` };
}
