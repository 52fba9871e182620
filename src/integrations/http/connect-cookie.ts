/** The cookie that binds a sign-in to the browser in which it began. */
export interface CookieToSet {
  readonly name: string;
  readonly value: string;
  readonly options: {
    readonly httpOnly: true;
    /** The network's redirect is a top-level navigation, which sends `lax` cookies. */
    readonly sameSite: 'lax';
    readonly secure: boolean;
    readonly path: string;
    /** Milliseconds. */
    readonly maxAge: number;
  };
}

const LIFETIME_MS = 600_000;

/** One cookie for each sign-in, so that two sign-ins in one browser are independent. */
export function cookieFor(state: string, value: string, publicUrl: string): CookieToSet {
  const secure = isSecure(publicUrl);
  const path = secure ? '/' : `${new URL(publicUrl).pathname.replace(/\/$/, '')}/api/integrations`;
  return {
    name: cookieName(state, publicUrl),
    value,
    options: { httpOnly: true, sameSite: 'lax', secure, path, maxAge: LIFETIME_MS },
  };
}

/** The cookie of this sign-in in a Cookie header (RFC 6265, section 4.2.1). */
export function cookieIn(header: string | undefined, state: string, publicUrl: string): string | undefined {
  const prefix = `${cookieName(state, publicUrl)}=`;
  const found = (header ?? '').split(/; */).find((pair) => pair.startsWith(prefix));
  return found?.slice(prefix.length);
}

/**
 * States are base64url, which cookie names may hold; twelve characters distinguish sign-ins. Under https the prefix `__Host-` (path
 * `/`) proves that no other host and no insecure page has set the cookie (RFC 6265bis, section 4.1.3.2).
 */
function cookieName(state: string, publicUrl: string): string {
  const name = `connect_${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`;
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

const isSecure = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:';
