import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { inDoubt } from '#libs/content';
import type { FailureReport } from '#libs/content';
import { OutboundHttp } from '../../outbound/outbound-http.js';
import type { OutboundAnswer } from '../../outbound/outbound-http.js';
import type { PublishAnswer, PublishCall } from '../../provider.js';
import { classifyRefusal, readXError } from './x-errors.js';
import { textOf } from './x-text.js';
import { idIn, waitIn } from './x-values.js';
import { XConfig } from './x.config.js';

/** Creating posts (docs.x.com, POST /2/tweets). */
@Injectable()
export class XApi {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
    private readonly clock: Clock,
  ) {}

  /** One call, never repeated here. X knows no idempotency keys. */
  async createPost(call: PublishCall): Promise<PublishAnswer> {
    const { replyTo } = call.content;
    const body = { text: textOf(call.content), ...(replyTo && { reply: { in_reply_to_tweet_id: replyTo } }) };
    const answer = await this.http.send({
      method: 'POST',
      url: `${this.config.apiUrl}/2/tweets`,
      headers: { authorization: `Bearer ${call.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      maySend: call.maySend,
    });
    return this.read(answer, this.postUrl(call.account.username));
  }

  private postUrl(username: string): (id: string) => string {
    return (id) => postUrl(this.config.webUrl, username, id);
  }

  private read(answer: OutboundAnswer, urlOf: (id: string) => string): PublishAnswer {
    if (answer.kind === 'withheld') return { kind: 'abandoned' };
    if (answer.kind === 'not-sent') return { kind: 'not-sent', failure: unreachable(answer.reason) };
    if (answer.kind === 'no-answer') return { kind: 'unconfirmed', failure: unconfirmed(answer.reason) };
    if (answer.status >= 200 && answer.status < 300) return published(answer, urlOf);
    const error = readXError(answer.status, answer.body);
    if (answer.status < 400 || answer.status >= 500)
      return { kind: 'unconfirmed', failure: unconfirmed(error.networkCode ?? String(answer.status)) };
    return { kind: 'refused', refusal: classifyRefusal(error, waitIn(answer.headers, this.clock.now())) };
  }
}

function published(
  answer: OutboundAnswer & { kind: 'answered' },
  urlOf: (id: string) => string,
): PublishAnswer {
  const id = idIn((answer.body as { data?: { id?: unknown } } | null | undefined)?.data?.id);
  if (id === null) return { kind: 'unconfirmed', failure: unconfirmed('unreadable-answer') };
  return { kind: 'published', platformPostId: id, platformPostUrl: urlOf(id) };
}

export function postUrl(site: string, username: string, id: string): string {
  return `${site}/${encodeURIComponent(username)}/status/${encodeURIComponent(id)}`;
}

function unreachable(networkCode: string): FailureReport {
  return {
    code: 'network_unreachable',
    class: 'transient',
    networkCode,
    message: 'X could not be reached; nothing was sent.',
    nextStep: 'Retry in some minutes.',
  };
}

function unconfirmed(networkCode: string): FailureReport {
  const message = 'The post was sent to X, but no readable answer came back. It may be live.';
  return inDoubt(message, networkCode);
}
