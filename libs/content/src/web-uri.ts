/** Characters that RFC 3986 allows in a URI, with a scheme and a host. */
const URI = /^https?:\/\/[\w.~:@!$&'()*+,;=[\]-]+(?:[/?#](?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;
const HAS_HOST = /^https?:\/\/[^/\\?#]/i;
/** What the parser of addresses leaves in paths, queries and fragments, although no URI has it. */
const NOT_IN_URI = /[^\w.~:/?#@!$&'()*+,;=%[\]-]|%(?![\da-f]{2})/gi;
const BRACKETS = /[[\]]/g;

/**
 * The URI of an address as people type it: the host in Punycode, all else that is not ASCII percent-encoded. A URI stays as it is.
 * @returns null for what is no http or https address with a host and without credentials
 */
export function webUriOf(address: string): string | null {
  if (/\s/u.test(address) || !HAS_HOST.test(address)) return null;
  const url = URL.parse(address);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') return null;
  if (URI.test(address)) return address;
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && !address.endsWith('/');
  const rest = `${isBare ? '' : url.pathname}${url.search}${url.hash}`;
  return (
    url.origin + rest.replaceAll(NOT_IN_URI, encodeURIComponent).replaceAll(BRACKETS, encodeURIComponent)
  );
}
