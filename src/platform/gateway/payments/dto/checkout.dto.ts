import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { is, IsName, shape, WhenSent } from '#libs/http';
import { CREATED_AT, IsMetadata, METADATA, OptionalProviderId, ProviderId } from './shared.js';

export const MAX_QUANTITY = 999_999;
const MAX_ITEMS = 20;
const MODES = ['payment', 'subscription'] as const;

export class CreateCustomerDto {
  @ApiPropertyOptional({ example: 'Acme' })
  @WhenSent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({ example: 'billing@example.com', format: 'email' })
  @WhenSent()
  @IsEmail()
  email?: string;

  @IsMetadata()
  metadata?: Record<string, string>;
}

export class CustomerDto extends shape({
  id: is.text({ example: 'cus_NffrFeUfNV2Hib' }),
  name: is.of<string | null>({ type: String, nullable: true, example: 'Acme' }),
  email: is.of<string | null>({ type: String, nullable: true, example: 'billing@example.com' }),
  metadata: is.of<Record<string, string>>(METADATA),
  createdAt: is.text(CREATED_AT),
}) {}

export class CheckoutItemDto {
  @ProviderId({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh' })
  priceId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_QUANTITY, example: 3 })
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  quantity!: number;
}

export class CreateCheckoutSessionDto {
  @ApiProperty({ enum: MODES, example: 'subscription' })
  @IsIn(MODES)
  mode!: (typeof MODES)[number];

  @ApiProperty({ type: () => [CheckoutItemDto], minItems: 1, maxItems: MAX_ITEMS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ITEMS)
  @ValidateNested({ each: true })
  @Type(() => CheckoutItemDto)
  items!: CheckoutItemDto[];

  @ApiProperty({
    example: 'http://127.0.0.1:3000/done?session={CHECKOUT_SESSION_ID}',
    description: 'Its origin is one of PAYMENT_RETURN_ORIGINS. `{CHECKOUT_SESSION_ID}` is replaced.',
  })
  @IsString()
  successUrl!: string;

  @ApiPropertyOptional({ example: 'http://127.0.0.1:3000/prices' })
  @WhenSent()
  @IsString()
  cancelUrl?: string;

  @OptionalProviderId({ description: 'Or `customerEmail`.' })
  customerId?: string;

  @ApiPropertyOptional({ example: 'billing@example.com', description: 'Or `customerId`.' })
  @WhenSent()
  @IsEmail()
  customerEmail?: string;

  @ApiPropertyOptional({
    example: 'order-7',
    description: "The caller's own reference, 1 to 200 characters.",
  })
  @WhenSent()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'must be 1 to 200 visible ASCII characters' })
  @MaxLength(200)
  reference?: string;

  @IsMetadata()
  metadata?: Record<string, string>;
}

export class CheckoutSessionDto extends shape({
  id: is.text({ example: 'cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u' }),
  mode: is.text({ enum: ['payment', 'subscription', 'setup'], example: 'subscription' }),
  status: is.of<string | null>({
    type: String,
    enum: ['open', 'complete', 'expired', null],
    nullable: true,
    example: 'open',
  }),
  paymentStatus: is.text({ enum: ['paid', 'unpaid', 'no_payment_required'], example: 'unpaid' }),
  url: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'https://checkout.stripe.com/c/pay/cs_test_a1',
  }),
  customerId: is.of<string | null>({ type: String, nullable: true, example: null }),
  subscriptionId: is.of<string | null>({ type: String, nullable: true, example: null }),
  paymentIntentId: is.of<string | null>({
    type: String,
    nullable: true,
    example: null,
    description: 'The payment in mode `payment`: events of a refund or a dispute name it in `relatedIds`.',
  }),
  currency: is.of<string | null>({ type: String, nullable: true, example: 'EUR' }),
  amountTotal: is.integer({ example: 3600, description: 'In minor units.' }).orNull,
  reference: is.of<string | null>({ type: String, nullable: true, example: 'order-7' }),
  metadata: is.of<Record<string, string>>(METADATA),
  expiresAt: is.text(CREATED_AT),
  createdAt: is.text(CREATED_AT),
}) {}

export class CreatePortalSessionDto {
  @ProviderId({ example: 'cus_NffrFeUfNV2Hib' })
  customerId!: string;

  @ApiProperty({
    example: 'http://127.0.0.1:3000/billing',
    description: 'Its origin is one of PAYMENT_RETURN_ORIGINS.',
  })
  @IsString()
  returnUrl!: string;
}

export class PortalSessionDto extends shape({
  url: is.text({
    example: 'https://billing.stripe.com/p/session/test_YWNjdF8x',
    description:
      'Signs its holder in to the billing of the customer: send the person there and store it nowhere.',
  }),
}) {}
