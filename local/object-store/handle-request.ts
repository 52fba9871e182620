import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Clock } from '#libs/clock';
import { allowOrigin, answerPreflight, type CorsRule } from './cors.js';
import { asS3Error, type Bucket, errorDocument } from './operations/operation.js';
import { routeOf } from './routes.js';
import { S3Error } from './wire/s3-error.js';
import { readRequest } from './wire/s3-request.js';
import { authenticate, type Credentials } from './signature/authenticate.js';
import { XML_DECLARATION } from './wire/xml.js';

export interface Site {
  readonly bucket: Bucket;
  readonly credentials: Credentials;
  readonly cors: CorsRule | undefined;
  readonly clock: Clock;
}

const logger = new Logger('EmbeddedObjectStorage');

/**
 * Responds to one request, with an error document if needed. Never throws.
 * @param isHeldBack whether the client waits for `100 Continue` before it sends the body
 */
export async function handleRequest(
  site: Site,
  message: IncomingMessage,
  response: ServerResponse,
  isHeldBack: boolean,
): Promise<void> {
  const requestId = randomUUID();
  response.setHeader('x-amz-request-id', requestId);
  response.on('error', () => undefined);
  try {
    allowOrigin(message, response, site.cors);
    if (message.method === 'OPTIONS') answerPreflight(message, response, site.cors);
    else await perform(site, message, response, isHeldBack);
  } catch (error) {
    refuse(message, response, error, requestId);
  }
}

async function perform(
  site: Site,
  message: IncomingMessage,
  response: ServerResponse,
  isHeldBack: boolean,
): Promise<void> {
  const { bucket, credentials, clock } = site;
  // A body sent without `100 Continue` must not be read as the next request.
  if (isHeldBack) response.shouldKeepAlive = false;
  const invite = () => {
    if (!isHeldBack) return;
    response.shouldKeepAlive = true;
    response.writeContinue();
  };
  const request = readRequest(message, invite);
  const sha256 = authenticate(request, credentials, clock.now());
  if (request.bucket !== bucket.name) throw new S3Error('NoSuchBucket');
  const handler = routeOf(request);
  await handler({ request, sha256, response, bucket, clock });
}

function refuse(message: IncomingMessage, response: ServerResponse, error: unknown, requestId: string): void {
  const refusal = asS3Error(error);
  if (refusal.code === 'InternalError') logger.error(error);
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { status } = refusal;
  const path = message.url?.split('?')[0] ?? '';
  const hasBody = message.method !== 'HEAD' && status !== 304;
  const document = hasBody ? XML_DECLARATION + errorDocument(error, path, requestId) : undefined;
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(document);
}
