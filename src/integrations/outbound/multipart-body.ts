import { randomBytes } from 'node:crypto';
import type { StreamedBody } from '#libs/outbound-http';

export interface MultipartFile {
  /** Name of its field. */
  readonly field: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly length: number;
  readonly open: StreamedBody['open'];
}

/**
 * A body of multipart/form-data (RFC 7578) with one file after the fields. The file is read while it is sent.
 * Names and values are this service's own: they are not escaped.
 */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: MultipartFile,
): { contentType: string; body: StreamedBody } {
  const boundary = randomBytes(16).toString('hex');
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const before = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const fileHeaders = `${part(`name="${file.field}"; filename="${file.fileName}"`)}content-type: ${file.contentType}\r\n\r\n`;
  const head = Buffer.from(before.join('') + fileHeaders);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      length: head.length + file.length + tail.length,
      async *open() {
        yield head;
        yield* await file.open();
        yield tail;
      },
    },
  };
}
