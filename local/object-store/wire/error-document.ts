import { S3Error } from './s3-error.js';
import { element } from './xml.js';

/** Other errors become an InternalError without their cause. */
export const asS3Error = (error: unknown): S3Error =>
  error instanceof S3Error ? error : new S3Error('InternalError', undefined, error);

/** The body of a refusal. */
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
