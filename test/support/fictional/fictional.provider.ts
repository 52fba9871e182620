import { Injectable } from '@nestjs/common';
import type { FailureReport, ImageSpec, Instant, Platform } from '#libs/content';
import { OutboundHttp, type OutboundRequest, type OutboundResponse } from '#libs/outbound-http';
import type { LimitReading, NetworkLimit } from '../../../src/integrations/domain/network-limits.js';
import type { DeliveryContent, NetworkSearch } from '../../../src/integrations/domain/delivery-outcome.js';
import {
  AuthorizationFailed,
  NetworkIsUnavailable,
} from '../../../src/integrations/domain/integration.errors.js';
import type {
  AccountFacts,
  AuthorizationRequest,
  CodeExchange,
  Grant,
  GrantedAccount,
  RenewableGrant,
  RenewalResult,
  Targets,
  Tokens,
} from '../../../src/integrations/domain/provider-grants.js';
import type {
  Account,
  CommitResponse,
  CommitCall,
  NetworkResponse,
  PrepareResponse,
  PrepareCall,
  ReconcileRequest,
  Refusal,
} from '../../../src/integrations/domain/provider-publishing.js';
import type {
  NetworkRules,
  PublishingProvider,
  Readiness,
} from '../../../src/integrations/provider.types.js';
import {
  commitResponseOf,
  prepareResponseOf,
} from '../../../src/integrations/providers/network-responses.js';
import { FilePart, missingFile, uploadResponseOf } from '../../../src/integrations/providers/file-part.js';
import { FictionalConfig } from './fictional.config.js';

export const FICTIONAL = 'fictional' as Platform;
const DAY_MS = 86_400_000;
/** Bytes of a part of a file. */
export const PART_BYTES = 65_536;

const PICTURE: ImageSpec = {
  kind: 'image',
  formats: ['png'],
  maxBytes: 1_000_000,
  maxWidth: 1_000,
  maxHeight: 1_000,
  maxPixels: null,
  ratio: null,
};

/** A picture of the network: binary, so that a body treated as text arrives changed. */
export const pictureOf = (text: string): Uint8Array =>
  Uint8Array.from([0x89, 0xff, 0x00, 0x0a, ...new TextEncoder().encode(text)]);

interface Body {
  readonly [name: string]: unknown;
}

export const fictionalRules: NetworkRules = {
  preflight({ text, media }) {
    if (text !== '' || media.length > 0) return [];
    return [
      { ruleId: 'fictional.text.empty', severity: 'error', message: 'Write something.', pointer: '#/text' },
    ];
  },
  renditions: ({ media }) => media.map(({ kind }) => (kind === 'image' ? PICTURE : null)),
  hasThreads: false,
  isPostId: (id) => /^f-\d+$/.test(id),
};

@Injectable()
export class FictionalProvider implements PublishingProvider {
  readonly platform = FICTIONAL;
  readonly displayName = 'Fictional';
  readonly revocation = 'consent';
  readonly renewal = { by: 'access-token', aheadMs: 10 * DAY_MS } as const;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: FictionalConfig,
  ) {}

  readiness(): Readiness {
    return 'sandbox-only';
  }

  connectedReadiness(): 'sandbox-only' {
    return 'sandbox-only';
  }

  setup(): string {
    return JSON.stringify([this.config.apiUrl, this.config.clientId]);
  }

  authorizationUrl({ state, redirectUri }: AuthorizationRequest): string {
    const query = new URLSearchParams({ client_id: this.config.clientId, state, redirect_uri: redirectUri });
    return `${this.config.apiUrl}/authorize?${query.toString()}`;
  }

  apiVersion(): null {
    return null;
  }

  limits(): readonly NetworkLimit[] {
    return [];
  }

  readingsIn(): readonly LimitReading[] {
    return [];
  }

  facts(): Promise<AccountFacts> {
    return Promise.resolve({});
  }

  async exchange({ code }: CodeExchange): Promise<Grant> {
    const answer = await this.call({ method: 'POST', path: '/token', body: JSON.stringify({ code }) });
    const grant = grantIn(answer);
    if (grant) return grant;
    if (answer.kind === 'answered' && this.isOwnError(answer))
      throw new AuthorizationFailed('The code is not valid.');
    throw new NetworkIsUnavailable(this.displayName);
  }

  async accounts({ accessToken }: Grant): Promise<GrantedAccount[]> {
    const answer = await this.call({ method: 'GET', path: '/accounts', accessToken });
    if (answer.kind !== 'answered' || answer.status !== 200) throw new NetworkIsUnavailable(this.displayName);
    const { person, accounts } = answer.body as { person: string; accounts: Body[] };
    return accounts.map((account) => ({
      profile: {
        accountId: String(account.id),
        username: String(account.name),
        displayName: String(account.name),
        avatarUrl: null,
        facts: {},
      },
      grant: grantOf(account),
      consentId: person,
    }));
  }

  async targets({ accountId }: Account, { accessToken }: Grant): Promise<Targets> {
    const answer = await this.call({ method: 'GET', path: `/accounts/${accountId}/pages`, accessToken });
    if (answer.kind !== 'answered' || answer.status !== 200) throw new NetworkIsUnavailable(this.displayName);
    return { pages: (answer.body as { pages: Targets['pages'] }).pages, groups: [] };
  }

  async renew({ accessToken }: RenewableGrant): Promise<RenewalResult> {
    const answer = await this.call({ method: 'POST', path: '/renew', accessToken });
    const grant = grantIn(answer);
    if (grant) return { kind: 'granted', grant };
    const networkCode = answer.kind === 'answered' ? codeIn(answer.body) : undefined;
    return networkCode === 'token' ? { kind: 'dead', networkCode } : { kind: 'unavailable' };
  }

  async revoke({ accessToken }: Tokens): Promise<void> {
    await this.call({ method: 'DELETE', path: '/consent', accessToken });
  }

  /** A text alone is published at once. */
  firstStep({ mediaIds }: DeliveryContent): string | null {
    return mediaIds.length > 0 ? 'reserve' : null;
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    if (call.step === 'reserve') return this.reserve(call);
    if (call.step === 'upload') return this.upload(call);
    const part = /^part\/(\d+)$/.exec(call.step)?.[1];
    return part === undefined ? this.status(call) : this.sendPart(call, Number(part));
  }

  async commit({
    content,
    account,
    accessToken,
    attemptId,
    prepared,
    maySend,
  }: CommitCall): Promise<CommitResponse> {
    const post = {
      text: content.text,
      page: content.target.pageId ?? null,
      upload: prepared.ids.upload ?? null,
      account: account.accountId,
      attemptId,
    };
    const body = JSON.stringify(post);
    const answer = await this.call({ method: 'POST', path: '/posts', accessToken, body, maySend });
    return commitResponseOf(this, answer, (created) => {
      const { id, error, submission } = membersOf(created.body);
      if (error !== undefined) return 'refused';
      if (typeof submission === 'string') return { kind: 'accepted', milliseconds: 500, ids: { submission } };
      return typeof id === 'string' && fictionalRules.isPostId(id) ? this.postOf(id) : null;
    });
  }

  /** An upload names the post that shows it, which is evidence of both. */
  async reconcile({ accessToken, prepared }: ReconcileRequest): Promise<NetworkSearch> {
    if (!prepared?.ids.upload) return { kind: 'unknown' };
    const answer = await this.call({ method: 'GET', path: `/uploads/${prepared.ids.upload}`, accessToken });
    if (answer.kind !== 'answered' || answer.status !== 200) return { kind: 'unknown' };
    const { post, decision } = membersOf(answer.body);
    if (decision === 'pending') return { kind: 'pending', milliseconds: 500 };
    if (decision === 'refused') return { kind: 'refused', failure: failureOf('moderation', 'permanent') };
    if (typeof post !== 'string') return { kind: 'not-delivered' };
    return { kind: 'found', posts: [{ ...this.postOf(post), mayBeOf: () => false }] };
  }

  isOwnError({ body }: NetworkResponse): boolean {
    return codeIn(body) !== undefined;
  }

  classify({ status, body }: NetworkResponse): Refusal {
    const code = codeIn(body) ?? String(status);
    const remedies: Record<string, Refusal['remedy']> = {
      token: { kind: 'refresh' },
      busy: { kind: 'wait', milliseconds: 1_000 },
      limit: { kind: 'hold', milliseconds: 60_000 },
      'upload-expired': { kind: 'prepare-again' },
    };
    const failureClass = code === 'token' ? 'auth' : 'permanent';
    const { existing } = membersOf(body);
    return {
      failure: failureOf(code, failureClass),
      remedy: remedies[code],
      ...(code === 'duplicate' && { duplicate: true }),
      ...(typeof existing === 'string' && { existing: this.postOf(existing) }),
    };
  }

  private async reserve({ accessToken, files }: PrepareCall): Promise<PrepareResponse> {
    const answer = await this.call({ method: 'POST', path: '/uploads', accessToken });
    return prepareResponseOf(this, answer, ({ body }) => {
      const { id, address } = membersOf(body);
      if (typeof id !== 'string' || typeof address !== 'string') return null;
      const step = files.length > 0 ? 'part/0' : 'upload';
      return { kind: 'next', step, ids: { upload: id }, addresses: { upload: address } };
    });
  }

  /** Of the one file that a post can have. */
  private async sendPart({ prepared, content, files }: PrepareCall, index: number): Promise<PrepareResponse> {
    const [file] = files;
    if (!file || files.length < content.mediaIds.length) return missingFile;
    const [start, end] = [index * PART_BYTES, Math.min((index + 1) * PART_BYTES, file.bytes)];
    const part = new FilePart(file, start, end);
    const answer = await this.http.send({
      method: 'PUT',
      url: `${prepared.addresses.upload ?? ''}&part=${index}&total=${file.bytes}`,
      headers: { 'content-type': file.contentType },
      body: { length: part.length, open: () => part.read() },
    });
    return uploadResponseOf(this, part, answer, () =>
      end < file.bytes
        ? { kind: 'next', step: `part/${index + 1}` }
        : { kind: 'wait', step: 'status', milliseconds: 1_000 },
    );
  }

  /** Of a post without files: a picture of its text. */
  private async upload({ prepared, content }: PrepareCall): Promise<PrepareResponse> {
    const headers = { 'content-type': 'image/png' };
    const url = prepared.addresses.upload ?? '';
    const answer = await this.http.send({ method: 'PUT', url, headers, body: pictureOf(content.text) });
    return prepareResponseOf(this, answer, () => ({ kind: 'wait', step: 'status', milliseconds: 1_000 }));
  }

  private async status({ prepared, accessToken }: PrepareCall): Promise<PrepareResponse> {
    const answer = await this.call({ method: 'GET', path: `/uploads/${prepared.ids.upload}`, accessToken });
    return prepareResponseOf(this, answer, ({ body }) =>
      membersOf(body).ready === true
        ? { kind: 'ready' }
        : { kind: 'wait', step: 'status', milliseconds: 500 },
    );
  }

  private postOf(id: string) {
    return { platformPostId: id, platformPostUrl: `${this.config.apiUrl}/posts/${id}` };
  }

  private call({
    path,
    accessToken,
    ...request
  }: Omit<OutboundRequest, 'url'> & { path: string; accessToken?: string }): Promise<OutboundResponse> {
    const headers = {
      'content-type': 'application/json',
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    };
    return this.http.send({ ...request, headers, url: this.config.apiUrl + path });
  }
}

/** The members of a JSON object; none of any other response. */
const membersOf = (body: unknown): Body => (typeof body === 'object' && body !== null ? { ...body } : {});

const codeIn = (body: unknown): string | undefined => {
  const { error } = membersOf(body);
  return typeof error === 'string' && /^[a-z-]{1,40}$/.test(error) ? error : undefined;
};

function grantIn(answer: OutboundResponse): Grant | null {
  return answer.kind === 'answered' && answer.status === 200 ? grantOf(membersOf(answer.body)) : null;
}

const grantOf = ({ token, expiresAt, refreshToken }: Body): Grant => ({
  accessToken: String(token),
  refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
  expiresAt: expiresAt as Instant,
  scopes: ['publish'],
});

const failureOf = (networkCode: string, failureClass: FailureReport['class']): FailureReport => ({
  code: 'refused_by_network',
  class: failureClass,
  networkCode,
  message: 'Fictional refuses this post as it is.',
  nextStep: 'Change it, then retry.',
});
