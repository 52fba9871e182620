import type { ServerResponse } from 'node:http';
import type { Clock } from '#libs/clock';
import type { S3Request } from '../wire/s3-request.js';
import type { ObjectStore } from '../store/object-store.js';
import type { UploadStore } from '../store/upload-store.js';
import { S3Error } from '../wire/s3-error.js';
import { element, XML_DECLARATION } from '../wire/xml.js';

export interface Bucket {
  readonly name: string;
  readonly objects: ObjectStore;
  readonly uploads: UploadStore;
}

export interface Operation {
  readonly request: S3Request;
  /** The SHA-256 of the body as it was signed, in hex; null when the body is not signed. */
  readonly sha256: string | null;
  readonly response: ServerResponse;
  readonly bucket: Bucket;
  readonly clock: Clock;
}

/** Responds to the request, or throws an S3Error before it starts the response. */
export type Handler = (operation: Operation) => Promise<void>;

type Headers = Readonly<Record<string, string | number>>;

export function answer({ response }: Operation, status: number, headers: Headers = {}): void {
  response.writeHead(status, headers).end();
}

/** @param document its root element */
export function answerXml({ response }: Operation, document: string, headers: Headers = {}): void {
  response.writeHead(200, { ...headers, 'Content-Type': 'application/xml' }).end(XML_DECLARATION + document);
}

/** Other errors become an InternalError without their cause. */
export const asS3Error = (error: unknown): S3Error =>
  error instanceof S3Error ? error : new S3Error('InternalError', undefined, error);

export function errorDocument(error: unknown, resource: string, requestId: string): string {
  const { code, message } = asS3Error(error);
  return element('Error', [
    element('Code', code),
    element('Message', message),
    // A path that could not be parsed may hold what XML cannot.
    element('Resource', resource.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '?')),
    element('RequestId', requestId),
  ]);
}
