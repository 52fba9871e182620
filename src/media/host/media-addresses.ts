import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { MediaAddressesConfig } from './media-addresses.config.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** By the extension of the key. Every object is one that this product wrote, never an original of a user. */
const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  webp: 'image/webp',
};

const KEY = new RegExp(
  `^media/${UUID}/(?:(?:thumbnail|preview)(?:-${UUID})?|renditions/${UUID})\\.(${Object.keys(TYPES).join('|')})$`,
);

/** Whether the media host serves the object: thumbnails, previews and renditions, never originals. */
const isServed = (key: string): boolean => KEY.test(key);

/** @param key of a served object */
export const typeOf = (key: string): string => TYPES[KEY.exec(key)?.[1] ?? ''] ?? 'application/octet-stream';

export interface ObjectToAddress {
  readonly mediaId: string;
  /** Key of a thumbnail, preview or rendition of this file in the object store. */
  readonly object: string;
}

export interface AddressedObject {
  readonly key: string;
  readonly secondsLeft: number;
}

const HOUR_S = 3_600;
/** Networks fetch a rendition while they process a post; a browser shows the others at once. */
const RENDITION_HOURS = 24;
const OTHER_HOURS = 2;

/** Longer than any token of ours, so that no large text is decoded. */
const MAX_TOKEN = 512;
const TOKEN = /^([\w-]+)\.([\w-]{43})$/;
const PAYLOAD = /^([\w-]+)\.(\d{1,12})\.([\w./-]+)$/;

/**
 * Addresses of the media host, `/m/{token}`. The token names the key, the expiry and the object, and is signed with HMAC-SHA256.
 * It is a credential for this one object: never log it.
 */
@Injectable()
export class MediaAddresses {
  private readonly keys: ReadonlyMap<string, KeyObject>;
  private readonly signingKey: string;
  private readonly base: string;

  constructor(
    config: MediaAddressesConfig,
    private readonly clock: Clock,
  ) {
    const pairs = config.keys.split(',').map((pair): [string, KeyObject] => {
      const [id = '', key = ''] = pair.split(':');
      return [id, createSecretKey(key, 'base64')];
    });
    this.keys = new Map(pairs);
    this.signingKey = pairs[0]?.[0] ?? '';
    // In ASCII, which some networks require.
    this.base = new URL(config.mediaPublicUrl ?? config.publicUrl).href.replace(/\/+$/, '');
  }

  /**
   * The address of an object: at least 24 hours for a rendition, 2 hours for a thumbnail or preview, and up to one more. It is the same
   * within an hour, so that browsers cache what they show.
   * @throws RangeError for an object that the host does not serve, such as an original
   */
  of({ mediaId, object }: ObjectToAddress): string {
    const name = `media/${mediaId}/`;
    if (!object.startsWith(name) || !isServed(object))
      throw new RangeError(`The media host does not serve ${object} of ${mediaId}.`);
    const hours = object.startsWith(`${name}renditions/`) ? RENDITION_HOURS : OTHER_HOURS;
    const expires = (Math.ceil(this.now() / HOUR_S) + hours) * HOUR_S;
    const payload = Buffer.from(`${this.signingKey}.${expires}.${object}`).toString('base64url');
    return `${this.base}/m/${payload}.${this.sign(payload, this.signingKey)}`;
  }

  read(token: string): AddressedObject | null {
    const [, payload = '', signature = ''] = TOKEN.exec(token.slice(0, MAX_TOKEN + 1)) ?? [];
    if (token.length > MAX_TOKEN || payload === '') return null;
    const [, keyId = '', expires, key = ''] =
      PAYLOAD.exec(Buffer.from(payload, 'base64url').toString('latin1')) ?? [];
    const expected = this.sign(payload, keyId);
    // As text: base64url has several forms of the same bytes.
    if (expected === null || !timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
    const secondsLeft = Number(expires) - this.now();
    return secondsLeft > 0 && isServed(key) ? { key, secondsLeft: Math.floor(secondsLeft) } : null;
  }

  private sign(payload: string, keyId: string): string | null {
    const key = this.keys.get(keyId);
    return key ? createHmac('sha256', key).update(payload).digest('base64url') : null;
  }

  private now(): number {
    return this.clock.now().getTime() / 1_000;
  }
}
