import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { readKeyedSecret } from '../../credentials/secrets.js';
import { EmailConfig } from '../email.config.js';
import { EmailCredentials } from '../shared/email-credentials.js';
import { CHALLENGE_PREFIX, type DomainRow } from './senders.dto.js';

/** The type of TXT records in answers. */
const TXT = 16;
const DNS_TIMEOUT_MS = 5_000;
/** `check_result` of the domain of EMAIL_PLATFORM_SENDER, whose challenge is empty. */
export const SET_BY_OPERATOR = 'Set by an operator. No proof is needed.';
const TIMEOUT_MS = 10_000;

/** null: there is no answer. */
type Check = { readonly status: DomainRow['status'] | null; readonly result: string };

/**
 * A domain is verified when a TXT record proves that its owner wants it here, and the account that sends has verified it too. The
 * record is needed although the provider verifies domains: an account that several organizations use says nothing about them.
 */
@Injectable()
export class VerifyDomain {
  constructor(
    private readonly credentials: EmailCredentials,
    private readonly http: OutboundHttp,
    private readonly config: EmailConfig,
  ) {}

  /** Changes nothing. Without an answer the status stays. */
  async check(domain: DomainRow): Promise<{ status: DomainRow['status']; result: string }> {
    if (domain.challenge === '') return { status: 'verified', result: SET_BY_OPERATOR };
    const proof = await this.proof(domain);
    const check =
      proof.status === 'verified' && domain.provider === 'resend' ? await this.atResend(domain) : proof;
    return { status: check.status ?? domain.status, result: check.result };
  }

  private async proof({ name, challenge }: DomainRow): Promise<Check> {
    const texts = await this.txtRecords(CHALLENGE_PREFIX + name);
    if (texts === null) return { status: null, result: 'The DNS gave no answer. Try again later.' };
    if (texts.includes(challenge)) return { status: 'verified', result: 'The TXT record exists.' };
    return {
      status: 'failed',
      result: `There is no TXT record ${CHALLENGE_PREFIX}${name} with the challenge.`,
    };
  }

  /**
   * Asks over HTTPS in JSON, as Google and Cloudflare answer (developers.google.com/speed/public-dns/docs/doh/json).
   * @returns null when the DNS gave no answer
   */
  private async txtRecords(name: string): Promise<string[] | null> {
    const query = new URLSearchParams({ name, type: 'TXT' });
    const response = await this.http.send({
      method: 'GET',
      url: `${this.config.dnsUrl}?${query.toString()}`,
      headers: { accept: 'application/dns-json' },
      timeoutMs: DNS_TIMEOUT_MS,
    });
    if (response.kind !== 'answered' || response.status !== 200) return null;
    const { Status: status, Answer: answer } = (response.body ?? {}) as {
      Status?: unknown;
      Answer?: unknown;
    };
    // 0: answered; 3: no such name.
    if (status === 3) return [];
    if (status !== 0) return null;
    return (Array.isArray(answer) ? answer : []).flatMap(textIn);
  }

  private async atResend({ name, organizationId }: DomainRow): Promise<Check> {
    const own = await this.credentials.usable('resend', organizationId);
    const credential =
      own ?? (organizationId === null ? null : await this.credentials.usable('resend', null));
    if (!credential) return { status: 'failed', result: 'There is no credential for resend.' };
    const response = await this.http.send({
      method: 'GET',
      url: `${this.config.resendUrl}/domains`,
      headers: { authorization: `Bearer ${readKeyedSecret(credential.secret).key}` },
      timeoutMs: TIMEOUT_MS,
    });
    if (response.kind !== 'answered' || response.status !== 200)
      return { status: null, result: 'Resend gave no usable answer. Try again later.' };
    const { data } = (response.body ?? {}) as { data?: unknown };
    const found = (Array.isArray(data) ? data : []).find((one: { name?: unknown }) => one.name === name) as
      { status?: unknown } | undefined;
    if (!found)
      return { status: 'failed', result: 'The account at Resend does not have the domain. Add it there.' };
    return found.status === 'verified'
      ? { status: 'verified', result: 'The TXT record exists, and Resend has verified the domain.' }
      : { status: 'failed', result: 'Resend has not verified the domain yet.' };
  }
}

/** Long texts are several quoted strings, which belong together. */
function textIn(record: unknown): string[] {
  const { type, data } = record as { type?: unknown; data?: unknown };
  if (type !== TXT || typeof data !== 'string') return [];
  return [data.replace(/" "/g, '').replace(/^"|"$/g, '')];
}
