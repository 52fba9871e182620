import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import type { ApiDescription } from './api-description.js';
import { openApiDocument } from './document.js';

/** Swagger UI needs its own scripts, inline styles and embedded pictures; nothing from elsewhere. */
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
];

/** `/openapi.json` and `/docs`. The document is made when first asked for, so that starting costs nothing. */
export function serveDocs(
  app: NestExpressApplication,
  api: ApiDescription,
  version: string,
  publicUrl?: string,
): void {
  const connect = publicUrl ? `connect-src 'self' ${new URL(publicUrl).origin}` : "connect-src 'self'";
  const policy = DOCS_POLICY.map((rule) => (rule.startsWith('connect-src') ? connect : rule)).join('; ');
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', policy);
    next();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app, api, version, publicUrl), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: api.title,
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}
