import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { matchesEtag } from '../etag/etag.js';
import type { ApiDocument } from './api-description.js';
import { formsOf } from './forms.js';

interface Encoded {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  /** One for both encodings: weak, because their bytes differ. */
  readonly etag: string;
}

/** Serves the OpenAPI document, which never changes while the process runs: compressed for those who accept it, with an ETag. */
function serveDocument(document: () => OpenAPIObject) {
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

/** Swagger UI needs its own scripts, inline styles and embedded pictures; nothing from other origins. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** `/openapi.json` and `/docs`. */
export function serveDocs(app: NestExpressApplication, title: string, document: ApiDocument): void {
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', DOCS_POLICY);
    next();
  });
  const described = () => document.get() as OpenAPIObject;
  app.getHttpAdapter().getInstance().get('/openapi.json', serveDocument(described));
  SwaggerModule.setup('docs', app, described, {
    raw: false,
    patchDocumentOnRequest: async () => formsOf(described(), (await document.formValues?.()) ?? {}),
    customSiteTitle: title,
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      docExpansion: 'none',
    },
  });
}
