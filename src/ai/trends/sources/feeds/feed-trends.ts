import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { PublicFetch, type PublicFetchResult, retryAfterIn } from '#libs/outbound-http';
import { publicLink } from '../public-link.js';
import { failed, type SourceRequest, type SourceResult, type TrendSource } from '../trend-source.js';
import { FeedParser } from './feed-parser.js';

/** Of the whole feed, after decompression. */
const MAX_BYTES = 2 * 1024 * 1024;
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';
const TOO_LARGE = 'ANSWER_TOO_LONG';
const LONGEST_WAIT_MS = 86_400_000;

@Injectable()
export class FeedTrends implements TrendSource {
  constructor(
    private readonly http: PublicFetch,
    private readonly parser: FeedParser,
    private readonly clock: Clock,
  ) {}

  async fetch({ source, organizationId }: SourceRequest): Promise<SourceResult> {
    const response = await this.http.get({ url: source.key, maxBytes: MAX_BYTES, accept: ACCEPT });
    if (response.kind !== 'answered' || response.status !== 200) return failureOf(response);
    const { body: bytes, headers, url } = response;
    const document = {
      bytes,
      contentType: headers['content-type'] ?? '',
      url,
      now: this.clock.now().toISOString(),
    };
    const parsed = await this.parser.parse(document, organizationId);
    if (parsed.kind === 'refused') return failed(parsed.code);
    const { title: name, dropped } = parsed.feed;
    const trends = parsed.feed.trends.map((trend) => ({ ...trend, link: publicLink(trend.link, url) }));
    return { kind: 'found', name, trends, dropped };
  }
}

/** Details of the failure stay here: they would tell about networks that the caller cannot see. */
function failureOf(response: PublicFetchResult): SourceResult {
  if (response.kind === 'refused') return failed('feed_address_refused');
  if (response.kind === 'failed')
    return failed(response.reason === TOO_LARGE ? 'feed_too_large' : 'feed_unreachable');
  const { status, headers } = response;
  if (status !== 429 && status !== 503) return failed('feed_refused');
  const asked = retryAfterIn(headers) ?? 0;
  const retryAfterMs = asked > 0 ? Math.min(asked, LONGEST_WAIT_MS) : null;
  return { ...failed('feed_limited', retryAfterMs), isLimited: status === 429 };
}
