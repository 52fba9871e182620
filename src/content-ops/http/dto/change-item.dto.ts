import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, IsUrl, Matches, MaxLength, ValidateIf } from 'class-validator';
import { instantOf, IsInstant } from '#libs/http';
import { ContentDto, type Resolution } from '../../../posts/index.js';

/** The reason, stored in the audit. The body is optional. */
export class DecideDto {
  @ApiPropertyOptional({ description: 'Up to 500 characters.', maxLength: 500, example: 'Agreed with Jana' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string;
}

/** Omitted fields stay unchanged. */
export class EditItemDto extends PartialType(ContentDto, { skipNullProperties: false }) {}

export class RescheduleDto {
  @ApiProperty({
    description: 'Time of publication: RFC 3339 with an offset, in the future, at most five years ahead.',
    format: 'date-time',
    example: '2030-01-15T09:00:00+01:00',
  })
  @IsInstant()
  scheduledAt!: string;
}

/** Validation ensures that it is an instant. */
export const instantIn = ({ scheduledAt }: RescheduleDto): string => instantOf(scheduledAt) as string;

/** Numbers on most networks, `page_post` on Facebook, a URN on LinkedIn, base64url on YouTube. */
const POST_ID = /^[\w:.-]{1,200}$/;

export class ResolveDto {
  @ApiProperty({ description: 'Whether the post is live on the network.', example: true })
  @IsBoolean()
  delivered!: boolean;

  @ApiPropertyOptional({
    description: 'Its id on the network; needed when it was delivered, up to 200 characters.',
    maxLength: 200,
    pattern: POST_ID.source,
    example: '1861234567890123456',
  })
  @ValidateIf((body: ResolveDto) => body.delivered || body.platformPostId !== undefined)
  @Matches(POST_ID, { message: 'must be an id as networks give them', context: { code: 'not_a_post_id' } })
  platformPostId?: string;

  @ApiPropertyOptional({
    description: 'Its address on the network.',
    format: 'uri',
    maxLength: 2048,
    example: 'https://x.com/example/status/1861234567890123456',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2048)
  platformPostUrl?: string;
}

export function resolutionIn({ delivered, platformPostId, platformPostUrl }: ResolveDto): Resolution {
  if (!delivered || platformPostId === undefined) return { delivered: false };
  return { delivered, platformPostId, platformPostUrl: platformPostUrl ?? null };
}
