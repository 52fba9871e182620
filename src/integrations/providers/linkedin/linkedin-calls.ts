import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import { LinkedInConfig } from './linkedin.config.js';

interface JsonRequest {
  readonly accessToken: string;
  /** Path and query. */
  readonly path: string;
  readonly body: object;
  readonly maySend?: () => boolean;
  readonly timeoutMs?: number;
}

/**
 * Calls to /rest and /v2. Every versioned call needs `LinkedIn-Version` and `X-Restli-Protocol-Version`
 * (learn.microsoft.com/linkedin/marketing/versioning, read 2026-11-21).
 */
@Injectable()
export class LinkedInCalls {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: LinkedInConfig,
  ) {}

  get(
    accessToken: string,
    path: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<OutboundResponse> {
    const headers = { ...this.headers(accessToken), ...more };
    return this.http.send({ method: 'GET', url: this.config.apiUrl + path, headers });
  }

  post({ accessToken, path, body, ...more }: JsonRequest): Promise<OutboundResponse> {
    const headers = { ...this.headers(accessToken), 'content-type': 'application/json' };
    const request = { method: 'POST', url: this.config.apiUrl + path, headers } as const;
    return this.http.send({ ...request, body: JSON.stringify(body), ...more });
  }

  private headers(accessToken: string): Record<string, string> {
    return {
      authorization: `Bearer ${accessToken}`,
      'linkedin-version': this.config.version,
      'x-restli-protocol-version': '2.0.0',
    };
  }
}
