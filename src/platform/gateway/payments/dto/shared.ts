import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsISO4217CurrencyCode, Matches, registerDecorator } from 'class-validator';
import type { Request } from 'express';
import { idempotencyKey, problemResponses, WhenSent } from '#libs/http';
import { PaymentObjectNotFound } from '../payments.errors.js';

/** The Idempotency-Key of the request; null without one. */
export const CallerKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return idempotencyKey(context.switchToHttp().getRequest<Request>()) ?? null;
});

/** A route that changes something at the payment provider, with one effect for each Idempotency-Key. */
export const ChangesPayments = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes repeating safe, also after 502 and a lost response: the same key has one effect and returns the same result. 1 to 255 visible ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    problemResponses(404, 409, 422, 429, 502),
  );

export const CREATED_AT = { example: '2026-11-23T09:30:00.000Z', format: 'date-time' } as const;

export const METADATA = { type: 'object', additionalProperties: { type: 'string' }, example: {} } as const;

/** Ids of the provider, such as `price_1Q2w…`. */
const PROVIDER_ID = /^[A-Za-z0-9_]{3,255}$/;

/** It becomes a segment of a path at the provider. */
export const isProviderId = (value: string): boolean => PROVIDER_ID.test(value);

const isId = () => Matches(PROVIDER_ID, { message: 'must be an id of the payment provider' });

export const ProviderId = (options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(ApiProperty(options), isId());

export const OptionalProviderId = (options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional(options), WhenSent(), isId());

/** ISO 4217, in any case; upper case afterwards. */
export const IsCurrency = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ example: 'EUR', description: 'ISO 4217.' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value)),
    IsISO4217CurrencyCode({ message: 'must be an ISO 4217 currency code' }),
  );

const MAX_KEYS = 40;
const MAX_KEY = 40;
const MAX_VALUE = 500;

/** Texts by name: at most 40 names of 1 to 40 characters, values of 1 to 500. The provider allows 50; the gateway adds its own. */
export const IsMetadata = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { package: 'five' },
      description:
        'At most 40 texts of up to 500 characters. Names that begin with `gateway_` are reserved. No secrets and no personal data.',
    }),
    WhenSent(),
    metadataRule(),
  );

const metadataRule = (): PropertyDecorator => (target, property) =>
  registerDecorator({
    name: 'isMetadata',
    target: target.constructor,
    propertyName: String(property),
    options: { message: `must be at most ${MAX_KEYS} texts by name`, context: { code: 'not_metadata' } },
    validator: { validate: isMetadata },
  });

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_KEYS &&
    entries.every(
      ([name, text]) =>
        /^[A-Za-z0-9_.-]+$/.test(name) &&
        name.length <= MAX_KEY &&
        typeof text === 'string' &&
        text.length > 0 &&
        text.length <= MAX_VALUE,
    )
  );
}

/** What cannot be an id of the provider does not exist. */
@Injectable()
export class ProviderIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isProviderId(value)) throw new PaymentObjectNotFound('object');
    return value;
  }
}
