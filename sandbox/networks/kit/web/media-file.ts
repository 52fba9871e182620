import type { SandboxResponse } from '../../../wire/response.js';
import type { MediaContent } from '../media/media-content.js';

/** The bytes of a file that a post shows, whole or one range of them. @param rangeHeader of the request */
export function mediaFile(
  path: string,
  content: Pick<MediaContent, 'bytes' | 'contentType'>,
  rangeHeader: string | undefined,
): SandboxResponse {
  const headers = {
    // Browsers play QuickTime under the name of MP4 only.
    'content-type': content.contentType.replace('video/quicktime', 'video/mp4'),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=300',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
  const whole = { path, start: 0, end: content.bytes - 1 };
  const range = rangeIn(rangeHeader, content.bytes);
  if (range === 'none') return { status: 200, headers, body: '', file: whole };
  if (range === null)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${content.bytes}` }, body: '' };
  const shown = `bytes ${range.start}-${range.end}/${content.bytes}`;
  return { status: 206, headers: { ...headers, 'content-range': shown }, body: '', file: { path, ...range } };
}

/** One range of RFC 9110, section 14; several are answered with the whole file. null: not in the file. */
function rangeIn(header: string | undefined, bytes: number): { start: number; end: number } | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'none';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end && start < bytes ? { start, end } : null;
}
