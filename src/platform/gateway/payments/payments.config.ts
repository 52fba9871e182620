import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { SIGNING_SECRET } from '../credentials/webhook-secrets.js';

const ORIGINS = /^https?:\/\/[^\s,/?#@\\]+(,https?:\/\/[^\s,/?#@\\]+)*$/;
const RELAYS = /^[a-z][a-z0-9-]{1,62}=https?:\/\/[^\s,]+(,[a-z][a-z0-9-]{1,62}=https?:\/\/[^\s,]+)*$/;
const SECRET = `[a-z][a-z0-9-]{1,62}=${SIGNING_SECRET}`;
const SECRETS = new RegExp(`^${SECRET}(,${SECRET})*$`);

export class PaymentsConfig {
  @Env('STRIPE_URL', {
    description: 'Base address of the API of Stripe. Only the provider gateway calls it.',
    default: 'https://api.stripe.com',
  })
  @IsBaseUrl()
  stripeUrl!: string;

  @Env('PAYMENT_RETURN_ORIGINS', {
    description:
      'Origins, separated by commas, to which a checkout or a billing portal may send people back. Unset: none, so that no session can be created.',
  })
  @IsOptional()
  @Matches(ORIGINS, { message: 'must be origins such as https://app.example.com, separated by commas' })
  returnOrigins?: string;

  @Env('PAYMENT_RELAY_URLS', {
    description:
      'Addresses that get the events of the payment provider, `slug=https://…,…`: one for each application. Events of an application without an address wait.',
  })
  @IsOptional()
  @Matches(RELAYS, { message: 'must be slug=address, separated by commas' })
  relayUrls?: string;

  @Env('PAYMENT_RELAY_SECRETS', {
    description:
      'Signing secrets of PAYMENT_RELAY_URLS, `slug=whsec_…,…`, base64 of 24 to 64 random bytes; two for one slug while it is replaced.',
  })
  @IsOptional()
  @Matches(SECRETS, { message: 'must be slug=whsec_ and base64 of 24 to 64 bytes, separated by commas' })
  relaySecrets?: string;

  @Env('PAYMENT_EVENT_DAYS', {
    description:
      'Days after which an event of the payment provider is deleted that was delivered to its application, or whose owner is not known. Until then the same event is not relayed twice. At least 7: the provider repeats an event, and an owner can become known, for 3 days.',
    default: '30',
  })
  @IsInt()
  @Min(7)
  @Max(3_650)
  eventDays!: number;

  @Env('PAYMENT_UNDELIVERED_EVENT_DAYS', {
    description:
      'Days after which an event of the payment provider is deleted that its application did not accept. Until then a platform administrator can send it again.',
    default: '180',
  })
  @IsInt()
  @Min(30)
  @Max(3_650)
  undeliveredEventDays!: number;
}
