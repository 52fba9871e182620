import { namesOtherNetwork } from '#libs/outbound-http';

/**
 * The link of a trend, or null where its host is an IP address outside the public internet: readers of a post would call their own
 * network. Names are not resolved: this service does not call the link.
 * @param calledUrl where the trend comes from; links of its origin are kept, as it was called
 */
export function publicLink(link: string | null, calledUrl?: string): string | null {
  if (link === null) return null;
  const url = new URL(link);
  const isOfSource = calledUrl !== undefined && new URL(calledUrl).origin === url.origin;
  return namesOtherNetwork(url) && !isOfSource ? null : link;
}
