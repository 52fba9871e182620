import { Injectable } from '@nestjs/common';
import type { OutboundResponse } from '#libs/outbound-http';
import {
  EMAIL_STATES,
  type EmailCall,
  EmailClient,
  type EmailResult,
  type NewEmail,
  type SentEmail,
} from './email-client.js';
import { GatewayConnection, type GatewayRequest } from './gateway-connection.js';
import { isNothingSent, problemIn } from './gateway-results.js';
import { list, nullable, object, oneOf, text, uuid } from './response-shape.js';

const MESSAGES = '/api/email/messages';
/** Codes about the set-up of the gateway, not about the message. */
const OF_THE_SET_UP = new Set(['no_credential', 'no_sender']);

/** The mail routes of the gateway over HTTP. */
@Injectable()
export class HttpEmailClient extends EmailClient {
  constructor(private readonly connection: GatewayConnection) {
    super();
  }

  get isConfigured(): boolean {
    return this.connection.isConfigured;
  }

  sendEmail(
    call: EmailCall,
    { idempotencyKey, content, ...email }: NewEmail,
  ): Promise<EmailResult<SentEmail>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    const body = JSON.stringify({ ...email, ...content });
    return this.send(call, { method: 'POST', path: MESSAGES, headers, body }, (response) =>
      emailResultOf(response),
    );
  }

  readEmail(call: EmailCall, id: string): Promise<EmailResult<SentEmail | null>> {
    const path = `${MESSAGES}/${encodeURIComponent(id)}`;
    return this.send<SentEmail | null>(call, { method: 'GET', path }, (response) => {
      const isUnknown = response.kind === 'answered' && response.status === 404;
      return isUnknown && problemIn(response).code === 'message_not_found'
        ? { kind: 'answered', value: null }
        : emailResultOf(response);
    });
  }

  private send<T>(
    { organizationId, userId }: EmailCall,
    { headers, ...request }: Omit<GatewayRequest, 'organizationId'>,
    outcomeOf: (response: OutboundResponse) => EmailResult<T>,
  ): Promise<EmailResult<T>> {
    const delegated = { ...headers, ...(userId !== undefined && { 'x-user-id': userId }) };
    return this.connection.send<EmailResult<T>>(
      { ...request, organizationId, headers: delegated },
      outcomeOf,
    );
  }
}

/** A 4xx proves that this call was not accepted, except while an earlier one with the key runs. A 5xx proves it with few codes only. */
function emailResultOf(response: OutboundResponse): EmailResult<SentEmail> {
  if (response.kind === 'withheld') return { kind: 'not-sent', reason: 'withheld' };
  if (response.kind !== 'answered') return response;
  const { status } = response;
  if (status >= 200 && status < 300) return readable(response.body);
  const { code, detail } = problemIn(response);
  const reason = code ?? String(status);
  if (isNothingSent(status, code) || (status === 429 && code !== null)) return { kind: 'not-sent', reason };
  if (status >= 500 || status === 408 || code === null || code === 'idempotent_request_running')
    return { kind: 'no-answer', reason };
  const isSetUp = status === 401 || status === 403 || OF_THE_SET_UP.has(code);
  return isSetUp ? { kind: 'misconfigured', code } : { kind: 'refused', code, detail };
}

function readable(body: unknown): EmailResult<SentEmail> {
  try {
    return { kind: 'answered', value: readSentEmail(body) };
  } catch {
    return { kind: 'no-answer', reason: 'unreadable_answer' };
  }
}

/** @throws UnexpectedShape */
function readSentEmail(body: unknown): SentEmail {
  const { id, recipients } = object(body, 'body');
  return {
    id: uuid(id, 'id'),
    recipients: list(recipients, 'recipients', (value, path) => {
      const { address, state, code } = object(value, path);
      return {
        address: text(address, `${path}.address`),
        state: oneOf(state, `${path}.state`, EMAIL_STATES),
        code: nullable(code, `${path}.code`, text),
      };
    }),
  };
}
