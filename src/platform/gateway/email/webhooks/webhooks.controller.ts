import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '#libs/clock';
import { ParseIdPipe, parseJson, problemResponses, Public, rawBodyOf, Unlimited } from '#libs/http';
import { CredentialNotFound } from '../../credentials/credential.errors.js';
import { readKeyedSecret } from '../../credentials/secrets.js';
import { MIN_KEY_BYTES, signingKey } from '../../credentials/webhook-secrets.js';
import { WebhookIsNotSigned } from '../email.errors.js';
import { type EmailCredential, EmailCredentials } from '../shared/email-credentials.js';
import { eventIn } from './provider-event.js';
import { ProviderEvents } from './provider-events.js';

interface SignedHeaders {
  readonly id: string | undefined;
  /** Seconds. */
  readonly timestamp: string | undefined;
  /** `v1,<base64>`, several separated by spaces while a secret is rotated. */
  readonly signatures: string | undefined;
}

/** 5 minutes, both ways (docs.svix.com/receiving/verifying-payloads/how-manual). */
const TOLERANCE_SECONDS = 300;
const MAX_ID = 256;
const MAX_SIGNATURES = 10;

/**
 * Whether one of the signatures is that of one of the secrets over `id.timestamp.body`, and the time is near.
 * @param secrets `whsec_` and base64; one with a short key signs nothing. @param body exactly as it came
 */
export function isSigned(
  headers: SignedHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): boolean {
  const { id, timestamp, signatures } = headers;
  if (!id || id.length > MAX_ID || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signatures) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const given = signatures.split(' ', MAX_SIGNATURES).flatMap(digestIn);
  const keys = secrets.map(signingKey).filter((key) => key.length >= MIN_KEY_BYTES);
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  return expected.some((digest) =>
    given.some((one) => one.length === digest.length && timingSafeEqual(one, digest)),
  );
}

function digestIn(signature: string): Buffer[] {
  const [version, text = ''] = signature.split(',', 2);
  return version === 'v1' ? [Buffer.from(text, 'base64')] : [];
}

const signatureHeader = (name: string, description: string) =>
  ApiHeader({ name, required: true, description });
const DESCRIPTION =
  'Signed over the bytes of the body with a webhook secret of the credential; 5 minutes of difference in time are allowed. Each `svix-id` is applied once, in any order, also before the message is known.';

/** Unlimited: after a large mailing the provider sends from few addresses, and late bounces mean late suppressions. */
@ApiTags('Email')
@signatureHeader('svix-id', 'Id of the event, the same in every delivery.')
@signatureHeader('svix-timestamp', 'Seconds.')
@signatureHeader('svix-signature', '`v1,` and the base64 of an HMAC-SHA256; several separated by spaces.')
@Public()
@Unlimited()
@problemResponses(WebhookIsNotSigned)
@Controller('api/email/webhooks')
export class EmailWebhooksController {
  constructor(
    private readonly credentials: EmailCredentials,
    private readonly events: ProviderEvents,
    private readonly clock: Clock,
  ) {}

  @ApiOperation({ summary: "Receive events of the platform's Resend", description: DESCRIPTION })
  @ApiNoContentResponse({ description: 'The event is stored.' })
  @ApiBody({ schema: { type: 'object' } })
  @HttpCode(204)
  @Post('resend')
  async receivePlatformEmailEvent(@Req() request: Request): Promise<void> {
    await this.receive(request, await this.credentials.ofPlatform('resend'));
  }

  @ApiOperation({ summary: "Receive events of an organization's Resend", description: DESCRIPTION })
  @ApiNoContentResponse({ description: 'The event is stored.' })
  @ApiParam({ name: 'credentialId', format: 'uuid', description: 'The credential whose account signs.' })
  @ApiBody({ schema: { type: 'object' } })
  @HttpCode(204)
  @problemResponses(CredentialNotFound)
  @Post('resend/:credentialId')
  async receiveEmailEvent(
    @Req() request: Request,
    @Param('credentialId', ParseIdPipe) id: string,
  ): Promise<void> {
    const credential = await this.credentials.byId('resend', id);
    await this.receive(request, credential ? [credential] : []);
  }

  /** An event of another shape is accepted and dropped: the provider would repeat it. */
  private async receive(request: Request, credentials: readonly EmailCredential[]): Promise<void> {
    const body = rawBodyOf(request);
    const headers = {
      id: request.header('svix-id'),
      timestamp: request.header('svix-timestamp'),
      signatures: request.header('svix-signature'),
    };
    const signer = credentials.find(({ secret }) =>
      isSigned(headers, body, readKeyedSecret(secret).webhookSecrets, this.clock.now()),
    );
    if (!signer) throw new WebhookIsNotSigned();
    const event = eventIn(parseJson(body));
    if (event) await this.events.receive(`${signer.id}/${headers.id}`, event, signer.organizationId);
  }
}
