import { S3Error } from '../wire/s3-error.js';
import { encodePath } from '../wire/uri.js';

const MOST = 1_000;

/** @throws S3Error InvalidArgument unless it is 0 to 2147483647; more than 1000 counts as 1000 */
export function readLimit(query: ReadonlyMap<string, string>, name: string): number {
  const text = query.get(name) ?? String(MOST);
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Error('InvalidArgument', `${name} must be a number of 0 to ${MOST}.`);
  return Math.min(Number(text), MOST);
}

/** How keys are written in the answer. @throws S3Error InvalidArgument */
export function keyWriter(query: ReadonlyMap<string, string>): (key: string) => string {
  const type = query.get('encoding-type');
  if (type !== undefined && type !== 'url')
    throw new S3Error('InvalidArgument', 'encoding-type must be url.');
  return type === 'url' ? encodePath : (key) => key;
}
