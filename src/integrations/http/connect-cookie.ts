/** Plain data about the cookie that ties a sign-in to the browser it began in. */
export interface CookieToSet {
  readonly name: string;
  readonly value: string;
  readonly options: {
    readonly httpOnly: true;
    /** The network's redirect back is a top-level navigation: `lax` cookies come along. */
    readonly sameSite: 'lax';
    readonly secure: boolean;
    readonly path: string;
    /** Milliseconds. */
    readonly maxAge: number;
  };
}

const LIFETIME_MS = 600_000;

/** One cookie for each sign-in, so that two of them in one browser do not disturb each other. */
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
 * States are base64url, which is also what cookie names may hold; a few characters tell sign-ins apart. Under https the name says
 * that no other host and no insecure page can have set it (`__Host-`, RFC 6265bis, section 4.1.3.2); it takes the path `/`.
 */
function cookieName(state: string, publicUrl: string): string {
  const name = `connect_${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`;
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

const isSecure = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:';
