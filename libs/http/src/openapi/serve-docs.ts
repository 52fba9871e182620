import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import type { ApiDocument } from './api-document.js';
import { formsOf } from './forms.js';
import { serveDocument } from './serve-document.js';

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
