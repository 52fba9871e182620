import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, Max, Min, ValidateNested } from 'class-validator';
import { is, IsInstant, shape, WhenSent } from '#libs/http';
import { MAX_QUANTITY } from './checkout.dto.js';
import { CREATED_AT, OptionalProviderId } from './shared.js';

export const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;
export type Proration = (typeof PRORATIONS)[number];
const MAX_ITEMS = 20;

const BEHAVIOR = {
  enum: PRORATIONS,
  example: 'always_invoice',
  description:
    '`create_prorations`: the difference is on the next invoice. `always_invoice`: it is charged at once. `none`: there is none.',
};
const DATE = {
  ...CREATED_AT,
  description:
    'From when the change counts, to the second. The same date in a preview and in the update gives the same amount. Absent: now.',
};
const QUANTITY = { type: 'integer', minimum: 0, maximum: MAX_QUANTITY, example: 5 } as const;

export class ProrationDto {
  @ApiProperty(BEHAVIOR)
  @IsIn(PRORATIONS)
  prorationBehavior!: Proration;

  @ApiPropertyOptional(DATE)
  @WhenSent()
  @IsInstant()
  prorationDate?: string;
}

export class UpdateSubscriptionItemDto extends ProrationDto {
  @ApiPropertyOptional({ ...QUANTITY, description: 'Absent: unchanged, also with another price.' })
  @WhenSent()
  @IsInt()
  @Min(0)
  @Max(MAX_QUANTITY)
  quantity?: number;

  @OptionalProviderId({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh', description: 'Absent: unchanged.' })
  priceId?: string;
}

export class PreviewItemDto {
  @OptionalProviderId({ example: 'si_NcLYdDxLHxlFo7', description: 'An item of the subscription.' })
  itemId?: string;

  @OptionalProviderId({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh' })
  priceId?: string;

  @ApiPropertyOptional({ ...QUANTITY, description: 'Absent: unchanged; 1 for a new item.' })
  @WhenSent()
  @IsInt()
  @Min(0)
  @Max(MAX_QUANTITY)
  quantity?: number;
}

export class CreateInvoicePreviewDto extends ProrationDto {
  @OptionalProviderId({
    example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs',
    description: 'Its next invoice, with the changed `items`. Or `customerId`.',
  })
  subscriptionId?: string;

  @OptionalProviderId({
    description: 'The first invoice of a new subscription to `items`. Or `subscriptionId`.',
  })
  customerId?: string;

  @ApiProperty({ type: () => [PreviewItemDto], minItems: 1, maxItems: MAX_ITEMS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ITEMS)
  @ValidateNested({ each: true })
  @Type(() => PreviewItemDto)
  items!: PreviewItemDto[];
}

export class SubscriptionItemDto extends shape({
  id: is.text({ example: 'si_NcLYdDxLHxlFo7' }),
  priceId: is.text({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh' }),
  productId: is.text({ example: 'prod_QXg1hqf4jFNsqG' }),
  unitAmount: is.integer({ example: 1200, description: 'In minor units.' }).orNull,
  quantity: is.integer({ example: 3 }),
  currentPeriodStart: is.text(CREATED_AT),
  currentPeriodEnd: is.text(CREATED_AT),
}) {}

export class SubscriptionDto extends shape({
  id: is.text({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs' }),
  status: is.text({
    enum: [
      'active',
      'canceled',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ],
    example: 'active',
  }),
  customerId: is.text({ example: 'cus_NffrFeUfNV2Hib' }),
  currency: is.text({ example: 'EUR' }),
  items: is.list(() => SubscriptionItemDto),
  cancelAtPeriodEnd: is.flag({ example: false }),
  canceledAt: is.of<string | null>({ ...CREATED_AT, type: String, nullable: true, example: null }),
  metadata: is.of<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { package: 'five' },
  }),
  createdAt: is.text(CREATED_AT),
}) {}

export class UpdatedSubscriptionItemDto extends shape({
  subscriptionId: is.text({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs' }),
  item: is.object(() => SubscriptionItemDto),
  prorationBehavior: is.text<Proration>({ enum: PRORATIONS, example: 'always_invoice' }),
  prorationDate: is.of<string | null>({
    ...CREATED_AT,
    type: String,
    nullable: true,
    description: 'null with `none`.',
  }),
}) {}

export class PreviewLineDto extends shape({
  description: is.of<string | null>({ type: String, nullable: true, example: 'Remaining time on 5 × Seats' }),
  amount: is.integer({ example: 3000, description: 'In minor units; negative: credit.' }),
  quantity: is.integer({ example: 5 }).orNull,
  priceId: is.of<string | null>({ type: String, nullable: true, example: 'price_1MoBy5LkdIwHu7ixZhnattbh' }),
  isProration: is.flag({ example: true }),
  periodStart: is.text(CREATED_AT),
  periodEnd: is.text(CREATED_AT),
}) {}

export class InvoicePreviewDto extends shape({
  currency: is.text({ example: 'EUR' }),
  subtotal: is.integer({ example: 1800 }),
  total: is.integer({ example: 1800, description: 'In minor units; negative: credit.' }),
  amountDue: is.integer({ example: 1800, description: 'What would be charged, in minor units.' }),
  lines: is.list(() => PreviewLineDto),
  hasMoreLines: is.flag({
    example: false,
    description: 'There are more lines than listed; the amounts cover all.',
  }),
  prorationBehavior: is.text<Proration>({ enum: PRORATIONS, example: 'always_invoice' }),
  prorationDate: is.of<string | null>({
    ...CREATED_AT,
    type: String,
    nullable: true,
    description: 'Send it with the update. null with `none`.',
  }),
}) {}
