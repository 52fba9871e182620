import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { warnOfParameter } from './list-warnings.js';

/** The list of a cursor: it is invalid for another list, order or filter. */
export interface CursorScope {
  /** Name of the list and its order, such as `posts:-createdAt`. */
  readonly list: string;
  /** The filters as applied; undefined members count as not given. */
  readonly filters?: Readonly<Record<string, unknown>>;
}

export type CursorKey = readonly (string | number | null)[];

export const CURSOR_IS_NOT_VALID =
  'must be `nextCursor` of this list with the same filters and order; the list starts over';

const VERSION = 1;
const MAC_BYTES = 16;

/**
 * Opaque, URL-safe, signed positions in a list: the sort key and id of the last row of a page. A cursor
 * grants no access; it only marks a position.
 */
@Injectable()
export class CursorCodec {
  constructor(private readonly secret: string) {}

  encode(key: CursorKey, scope: CursorScope): string {
    const payload = Buffer.from(JSON.stringify([VERSION, fingerprint(scope), ...key]));
    return Buffer.concat([this.mac(payload), payload]).toString('base64url');
  }

  /**
   * * The position, or undefined for a missing, forged or foreign cursor. The list then starts at its first page,
   * with a warning unless the cursor is missing.
   */
  decode(cursor: string | undefined, scope: CursorScope): CursorKey | undefined {
    if (!cursor) return undefined;
    const key = this.read(cursor, scope);
    if (!key)
      warnOfParameter({ parameter: 'cursor', code: 'cursor_not_valid', message: CURSOR_IS_NOT_VALID });
    return key;
  }

  private read(cursor: string, scope: CursorScope): CursorKey | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length <= MAC_BYTES) return undefined;
    const payload = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(payload))) return undefined;
    const [version, scoped, ...key] = JSON.parse(payload.toString()) as [number, string, ...CursorKey];
    return version === VERSION && scoped === fingerprint(scope) ? key : undefined;
  }

  private mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.secret).update(payload).digest().subarray(0, MAC_BYTES);
  }
}

function fingerprint({ list, filters = {} }: CursorScope): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([list, given]))
    .digest('base64url')
    .slice(0, 12);
}
