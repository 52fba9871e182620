import { randomBytes } from 'node:crypto';
import type { StreamedBody } from './streamed-body.js';

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
 * Names of fields and the media type are this service's own. Values can be any text: the boundary is random.
 */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: MultipartFile,
): { contentType: string; body: StreamedBody } {
  const boundary = randomBytes(16).toString('hex');
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const before = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const fileHeaders = `${part(`name="${file.field}"; filename="${escaped(file.fileName)}"`)}content-type: ${file.contentType}\r\n\r\n`;
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

/** As HTML's multipart/form-data encoding does, so that a file name cannot end its header. */
const escaped = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
