import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { is, IsName, OptionalString, shape, WhenSent } from '#libs/http';
import { CREATED_AT, IsCurrency, IsMetadata, METADATA, OptionalProviderId } from './shared.js';

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The provider takes up to eight digits. */
const MAX_AMOUNT = 99_999_999;

export class ProductDataDto {
  @ApiProperty({ example: 'Seats' })
  @IsName()
  name!: string;

  @OptionalString(1_000, { example: 'One seat for one person.', maxLength: 1000 })
  description?: string;

  @IsMetadata()
  metadata?: Record<string, string>;
}

export class NewProductDataDto extends PickType(ProductDataDto, ['name', 'metadata']) {}

export class RecurringDto {
  @ApiProperty({ enum: INTERVALS, example: 'month' })
  @IsIn(INTERVALS)
  interval!: Interval;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 36, default: 1, example: 1 })
  @WhenSent()
  @IsInt()
  @Min(1)
  @Max(36)
  intervalCount?: number;
}

export class CreatePriceDto {
  @IsCurrency()
  currency!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_AMOUNT,
    example: 1200,
    description: 'In minor units: 1200 is 12.00 EUR, and 1200 JPY. It cannot be changed afterwards.',
  })
  @IsInt()
  @Min(0)
  @Max(MAX_AMOUNT)
  unitAmount!: number;

  @ApiPropertyOptional({ type: () => RecurringDto, description: 'Absent: paid once.' })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => RecurringDto)
  recurring?: RecurringDto;

  @OptionalProviderId({
    example: 'prod_QXg1hqf4jFNsqG',
    description: 'An existing product, or `productData`.',
  })
  productId?: string;

  @ApiPropertyOptional({ type: () => NewProductDataDto, description: 'A new product, or `productId`.' })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => NewProductDataDto)
  productData?: NewProductDataDto;

  @OptionalString(200, { example: 'Monthly seat', maxLength: 200 })
  nickname?: string;

  @IsMetadata()
  metadata?: Record<string, string>;
}

export class ProductDto extends shape({
  id: is.text({ example: 'prod_QXg1hqf4jFNsqG' }),
  name: is.text({ example: 'Seats' }),
  description: is.of<string | null>({ type: String, nullable: true, example: null }),
  isActive: is.flag({ example: true }),
  metadata: is.of<Record<string, string>>(METADATA),
  createdAt: is.text(CREATED_AT),
}) {}

export class PriceRecurringDto extends shape({
  interval: is.text({ enum: INTERVALS, example: 'month' }),
  intervalCount: is.integer({ example: 1 }),
}) {}

export class PriceDto extends shape({
  id: is.text({ example: 'price_1MoBy5LkdIwHu7ixZhnattbh' }),
  productId: is.text({ example: 'prod_QXg1hqf4jFNsqG' }),
  currency: is.text({ example: 'EUR' }),
  unitAmount: is.integer({
    example: 1200,
    description: 'In minor units; null for a price whose amount is no whole number of them.',
  }).orNull,
  recurring: is.object(() => PriceRecurringDto).orNull,
  nickname: is.of<string | null>({ type: String, nullable: true, example: null }),
  isActive: is.flag({ example: true }),
  metadata: is.of<Record<string, string>>(METADATA),
  createdAt: is.text(CREATED_AT),
}) {}
