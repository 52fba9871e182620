import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { NetworkCall, Refusal } from '../../domain/provider-publishing.js';
import { type GraphError, isGraphError, readGraphError } from '../graph/graph-errors.js';
import { waitIn } from '../graph/graph-usage.js';
import type { ResponseReader } from '../network-responses.js';
import { facebookRefusal } from './facebook-errors.js';
import { readingsIn } from './facebook-limits.js';
import { FacebookConfig } from './facebook.config.js';

type Refuse = (error: GraphError, waitMs: number | null) => Refusal;

/** Addresses and meanings that all calls of publishing share. */
@Injectable()
export class FacebookCalls {
  constructor(
    private readonly config: FacebookConfig,
    private readonly clock: Clock,
  ) {}

  page({ account }: Pick<NetworkCall, 'account'>, edge: string): string {
    return `${this.config.graph}/${encodeURIComponent(account.accountId)}/${edge}`;
  }

  /** The address of the videos of the page is on another host. */
  videos({ account }: Pick<NetworkCall, 'account'>): string {
    const { videoUrl, apiVersion } = this.config;
    return `${videoUrl}/${apiVersion}/${encodeURIComponent(account.accountId)}/videos`;
  }

  object(id: string): string {
    return `${this.config.graph}/${encodeURIComponent(id)}`;
  }

  get site(): string {
    return this.config.dialogUrl;
  }

  /** The address of a post for people. Facebook redirects it to the address that the post has. */
  permalink(id: string): string {
    return `${this.site}/${encodeURIComponent(id)}`;
  }

  /** Whether Facebook takes bytes there: the token is sent along. */
  isUploadAddress(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const [base, { origin, pathname }] = [new URL(this.config.uploadUrl), new URL(address)];
    return origin === base.origin && pathname.startsWith(base.pathname);
  }

  reader(refuse: Refuse = facebookRefusal): ResponseReader {
    return {
      displayName: 'Facebook',
      readingsIn: (response) => readingsIn(response, this.clock.now()),
      isOwnError: isGraphError,
      classify: ({ status, headers, body }) => refuse(readGraphError(status, body), waitIn(headers)),
    };
  }
}
