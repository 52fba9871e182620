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
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, '')}/api/integrations`;
  const secure = protocol === 'https:';
  return {
    name: cookieName(state),
    value,
    options: { httpOnly: true, sameSite: 'lax', secure, path, maxAge: LIFETIME_MS },
  };
}

/** The cookie of this sign-in in a Cookie header (RFC 6265, section 4.2.1). */
export function cookieIn(header: string | undefined, state: string): string | undefined {
  const prefix = `${cookieName(state)}=`;
  const found = (header ?? '').split(/; */).find((pair) => pair.startsWith(prefix));
  return found?.slice(prefix.length);
}

/** States are base64url, which is also what cookie names may hold; a few characters tell sign-ins apart. */
function cookieName(state: string): string {
  return `connect_${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`;
}
