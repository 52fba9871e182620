import { createHmac } from 'node:crypto';

/** Tells keys of a credential apart. Keys of providers are random: it cannot be inverted. */
export const keyDigest = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  createHmac('sha256', id).update(key).digest('base64url');
