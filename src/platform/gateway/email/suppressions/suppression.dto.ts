import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { FilterOf, is, ListQuery, shape } from '#libs/http';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

export class AddSuppressionDto {
  @ApiProperty({ example: 'ada@example.com', maxLength: 320 })
  @IsString()
  @MaxLength(320)
  address!: string;
}

export class ListSuppressionsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Only this address.', example: 'ada@example.com' })
  @FilterOf((value) => (value.length <= 320 ? value : undefined), 'not_an_address', 'a mail address')
  address?: string;
}

export class SuppressionDto extends shape({
  id: is.uuid({ example: ID }),
  address: is.text({ example: 'ada@example.com', description: 'In lower case.' }),
  reason: is.text<'bounce' | 'complaint' | 'manual'>({
    enum: ['bounce', 'complaint', 'manual'],
    example: 'bounce',
  }),
  messageId: is.of<string | null>({
    type: String,
    format: 'uuid',
    nullable: true,
    example: ID,
    description: 'The message that showed it.',
  }),
  createdAt: is.date({ example: '2026-11-23T09:00:00.000Z' }),
}) {}
