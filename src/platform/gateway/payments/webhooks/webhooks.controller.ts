import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '#libs/auth';
import { Clock } from '#libs/clock';
import { is, ParseIdPipe, parseJson, problemResponses, rawBodyOf, shape, Unlimited } from '#libs/http';
import { CredentialNotFound } from '../../credentials/credential.errors.js';
import { WEBHOOK_SECRETS } from '../../credentials/webhook-secrets.js';
import { WebhookIsNotAuthentic } from '../payments.errors.js';
import { PaymentCredentials } from '../stripe/payment-credentials.js';
import { eventIn, isThinEvent } from './event.js';
import { EventsStore } from './events.store.js';

class WebhookReceivedDto extends shape({
  isNew: is.flag({ example: true, description: 'false: the event was received before.' }),
}) {}

/** The provider's own client checks the past only; a signature of the future would stay valid for as long. */
const TOLERANCE_SECONDS = 300;

interface SignatureHeader {
  readonly timestamp: number;
  readonly signatures: readonly Buffer[];
}

/** `t=<seconds>,v1=<hex>[,v1=…]`; other schemes are ignored. null for anything else. */
export function parseSignature(header: string | undefined): SignatureHeader | null {
  if (header === undefined || header.length > 2_000) return null;
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string | undefined]);
  const timestamps = parts.flatMap(([name, value = '']) => (name.trim() === 't' ? [value] : []));
  const signatures = parts.flatMap(([name, value = '']) => (name.trim() === 'v1' ? [value] : []));
  const [timestamp = '', ...more] = timestamps;
  if (more.length > 0 || !/^\d{1,12}$/.test(timestamp)) return null;
  const hex = signatures.filter((value) => /^[0-9a-f]{64}$/.test(value));
  if (hex.length === 0) return null;
  return { timestamp: Number(timestamp), signatures: hex.map((value) => Buffer.from(value, 'hex')) };
}

/** Whether it was signed now, with `TOLERANCE_SECONDS` in both directions. */
export const isCurrent = ({ timestamp }: SignatureHeader, now: Date): boolean =>
  Math.abs(Math.floor(now.getTime() / 1000) - timestamp) <= TOLERANCE_SECONDS;

/** Compares all, in constant time, over the bytes as they were received. A stored secret of another form signs nothing. */
export function isSignedBy(
  { timestamp, signatures }: SignatureHeader,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  return secrets
    .filter((secret) => WEBHOOK_SECRETS.stripe.form.test(secret))
    .map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest())
    .some((expected) => signatures.filter((given) => timingSafeEqual(given, expected)).length > 0);
}

const SIGNED = {
  name: 'Stripe-Signature',
  required: true,
  description: '`t=<seconds>,v1=<hex>`; a second v1 while the secret is replaced.',
  schema: { type: 'string' },
};
const DESCRIPTION =
  'The provider sends events here. The signature covers the bytes of the body; its time may differ by 300 seconds in both directions. An event is stored once, acknowledged, and then relayed to the application that owns its object. Thin events (`v2.core.event`) have no object: they are acknowledged and not stored.';

/** Unlimited: the provider sends in bursts from few addresses, and repeats what is refused for days. */
@ApiTags('Payments')
@ApiHeader(SIGNED)
@Public()
@Unlimited()
@problemResponses(400, 413)
@Controller('api/payments/webhooks/stripe')
export class WebhooksController {
  constructor(
    private readonly credentials: PaymentCredentials,
    private readonly events: EventsStore,
    private readonly clock: Clock,
  ) {}

  @ApiOperation({
    summary: 'Receive an event of an account of the platform',
    description: DESCRIPTION,
    security: [],
  })
  @ApiOkResponse({ type: WebhookReceivedDto, description: 'It is stored; `isNew` false: it was before.' })
  @ApiBody({ schema: { type: 'object' } })
  @HttpCode(200)
  @Post()
  receivePaymentEvent(@Req() request: Request): Promise<WebhookReceivedDto> {
    return this.receive(request, null);
  }

  @ApiOperation({
    summary: 'Receive an event of an account of an organization',
    description: DESCRIPTION,
    security: [],
  })
  @ApiParam({ name: 'credentialId', format: 'uuid', description: 'The credential of the account.' })
  @ApiOkResponse({ type: WebhookReceivedDto, description: 'It is stored; `isNew` false: it was before.' })
  @ApiBody({ schema: { type: 'object' } })
  @HttpCode(200)
  @problemResponses(CredentialNotFound)
  @Post(':credentialId')
  receiveOwnPaymentEvent(
    @Req() request: Request,
    @Param('credentialId', ParseIdPipe) credentialId: string,
  ): Promise<WebhookReceivedDto> {
    return this.receive(request, credentialId);
  }

  private async receive(request: Request, credentialId: string | null): Promise<WebhookReceivedDto> {
    const signature = parseSignature(request.header('stripe-signature'));
    if (!signature) throw new WebhookIsNotAuthentic('Stripe-Signature is missing or unreadable.');
    if (!isCurrent(signature, this.clock.now()))
      throw new WebhookIsNotAuthentic('The time of Stripe-Signature is too old or in the future.');
    const body = rawBodyOf(request);
    const candidates = await this.credentials.receiving(credentialId);
    const signers = candidates.filter(({ webhookSecrets }) => isSignedBy(signature, body, webhookSecrets));
    if (signers.length === 0) throw new WebhookIsNotAuthentic('No signing secret matches Stripe-Signature.');
    const sent = parseJson(body);
    if (isThinEvent(sent)) return { isNew: false };
    const event = eventIn(sent);
    if (!event) throw new WebhookIsNotAuthentic('The body is no event.');
    return { isNew: await this.events.receive(event, signers) };
  }
}
