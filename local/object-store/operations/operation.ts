import type { ServerResponse } from 'node:http';
import type { Clock } from '#libs/clock';
import type { S3Request } from '../wire/s3-request.js';
import type { Payload } from '../signature/authenticate.js';
import type { ObjectStore } from '../store/object-store.js';
import type { UploadStore } from '../store/upload-store.js';
import { XML_DECLARATION } from '../wire/xml.js';

export interface Bucket {
  readonly name: string;
  readonly objects: ObjectStore;
  readonly uploads: UploadStore;
}

/** One authenticated request with its dependencies. */
export interface Operation {
  readonly request: S3Request;
  readonly payload: Payload;
  readonly response: ServerResponse;
  readonly bucket: Bucket;
  readonly clock: Clock;
}

/** Responds to the request, or throws an S3Error before it starts the response. */
export type Handler = (operation: Operation) => Promise<void>;

type Headers = Readonly<Record<string, string | number>>;

export function answer(
  { response }: Pick<Operation, 'response'>,
  status: number,
  headers: Headers = {},
): void {
  response.writeHead(status, headers).end();
}

/** @param document its root element */
export function answerXml(
  { response }: Pick<Operation, 'response'>,
  document: string,
  headers: Headers = {},
): void {
  response.writeHead(200, { ...headers, 'Content-Type': 'application/xml' }).end(XML_DECLARATION + document);
}
