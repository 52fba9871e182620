import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, Max, Min, ValidateNested } from 'class-validator';
import { IsInstant, WhenSent } from '#libs/http';
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

export class SubscriptionItemDto {
  @ApiProperty({ example: 'si_NcLYdDxLHxlFo7' })
  id!: string;

  @ApiProperty({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh' })
  priceId!: string;

  @ApiProperty({ example: 'prod_QXg1hqf4jFNsqG' })
  productId!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 1200, description: 'In minor units.' })
  unitAmount!: number | null;

  @ApiProperty({ type: 'integer', example: 3 })
  quantity!: number;

  @ApiProperty(CREATED_AT)
  currentPeriodStart!: string;

  @ApiProperty(CREATED_AT)
  currentPeriodEnd!: string;
}

export class SubscriptionDto {
  @ApiProperty({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs' })
  id!: string;

  @ApiProperty({
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
  })
  status!: string;

  @ApiProperty({ example: 'cus_NffrFeUfNV2Hib' })
  customerId!: string;

  @ApiProperty({ example: 'EUR' })
  currency!: string;

  @ApiProperty({ type: () => [SubscriptionItemDto] })
  items!: SubscriptionItemDto[];

  @ApiProperty({ example: false })
  cancelAtPeriodEnd!: boolean;

  @ApiProperty({ ...CREATED_AT, type: String, nullable: true, example: null })
  canceledAt!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { package: 'five' } })
  metadata!: Record<string, string>;

  @ApiProperty(CREATED_AT)
  createdAt!: string;
}

export class UpdatedSubscriptionItemDto {
  @ApiProperty({ example: 'sub_1MowQVLkdIwHu7ixeRlqHVzs' })
  subscriptionId!: string;

  @ApiProperty({ type: () => SubscriptionItemDto })
  item!: SubscriptionItemDto;

  @ApiProperty({ enum: PRORATIONS, example: 'always_invoice' })
  prorationBehavior!: Proration;

  @ApiProperty({ ...CREATED_AT, type: String, nullable: true, description: 'null with `none`.' })
  prorationDate!: string | null;
}

export class PreviewLineDto {
  @ApiProperty({ type: String, nullable: true, example: 'Remaining time on 5 × Seats' })
  description!: string | null;

  @ApiProperty({ type: 'integer', example: 3000, description: 'In minor units; negative: credit.' })
  amount!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 5 })
  quantity!: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'price_1MoBy5LkdIwHu7ixZhnattbh' })
  priceId!: string | null;

  @ApiProperty({ example: true })
  isProration!: boolean;

  @ApiProperty(CREATED_AT)
  periodStart!: string;

  @ApiProperty(CREATED_AT)
  periodEnd!: string;
}

export class InvoicePreviewDto {
  @ApiProperty({ example: 'EUR' })
  currency!: string;

  @ApiProperty({ type: 'integer', example: 1800 })
  subtotal!: number;

  @ApiProperty({ type: 'integer', example: 1800, description: 'In minor units; negative: credit.' })
  total!: number;

  @ApiProperty({ type: 'integer', example: 1800, description: 'What would be charged, in minor units.' })
  amountDue!: number;

  @ApiProperty({ type: () => [PreviewLineDto] })
  lines!: PreviewLineDto[];

  @ApiProperty({ example: false, description: 'There are more lines than listed; the amounts cover all.' })
  hasMoreLines!: boolean;

  @ApiProperty({ enum: PRORATIONS, example: 'always_invoice' })
  prorationBehavior!: Proration;

  @ApiProperty({
    ...CREATED_AT,
    type: String,
    nullable: true,
    description: 'Send it with the update. null with `none`.',
  })
  prorationDate!: string | null;
}
