import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import {
  type CheckedCredential,
  checkResult,
  type CheckResult,
  CredentialChecks,
} from '../../credentials/checks/credential-check.js';
import { readKeyedSecret, readSmtpSecret } from '../../credentials/secrets.js';
import { EmailConfig } from '../email.config.js';
import { publicAddressOf } from './smtp/smtp-sender.js';
import { SmtpSession } from './smtp/smtp-session.js';

/** A literal, because this client sends no mail in the name of a domain (RFC 5321, section 4.1.3). */
const CLIENT_NAME = '[127.0.0.1]';
/** The key may only send, which is all that the gateway needs (resend.com/docs/api-reference/errors). */
const SENDS_ONLY = 'restricted_api_key';

@Injectable()
export class CheckEmailCredentials implements OnModuleInit {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: EmailConfig,
    private readonly checks: CredentialChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add('resend', (credential) => this.checkResend(credential));
    this.checks.add('smtp', (credential) => this.checkSmtp(credential));
  }

  private async checkResend({ secret, signal, timeoutMs }: CheckedCredential): Promise<CheckResult> {
    const response = await this.http.send({
      method: 'GET',
      url: `${this.config.resendUrl}/domains`,
      headers: { authorization: `Bearer ${readKeyedSecret(secret).key}` },
      signal,
      timeoutMs,
    });
    return resendResult(response);
  }

  private async checkSmtp({
    secret,
    organizationId,
    signal,
    timeoutMs,
  }: CheckedCredential): Promise<CheckResult> {
    const server = readSmtpSecret(secret);
    const address = organizationId === null ? undefined : await publicAddressOf(server.host);
    if (address === null) return checkResult('unavailable', { code: 'no_public_address' });
    const limits = { connectMs: Math.min(this.config.connectTimeoutMs, timeoutMs), replyMs: timeoutMs };
    const outcome = await new SmtpSession({ ...server, address }, limits, CLIENT_NAME).signIn(signal);
    if (outcome.kind === 'accepted') return checkResult('works');
    return checkResult(outcome.kind === 'refused' ? 'refused' : 'unavailable', { code: outcome.code });
  }
}

function resendResult(response: OutboundResponse): CheckResult {
  if (response.kind !== 'answered')
    return checkResult('unavailable', { code: response.kind === 'withheld' ? null : response.reason });
  const { status, body } = response;
  const { name } = (typeof body === 'object' && body !== null ? body : {}) as { name?: unknown };
  const code = typeof name === 'string' && /^[\w-]{1,100}$/.test(name) ? name : null;
  if ((status >= 200 && status < 300) || code === SENDS_ONLY) return checkResult('works', { status });
  if (code === 'daily_quota_exceeded' || code === 'monthly_quota_exceeded')
    return checkResult('out_of_money', { code, status });
  const isRefusal = status === 401 || status === 403 || code === 'invalid_api_key';
  return checkResult(isRefusal ? 'refused' : 'unavailable', { code, status });
}
