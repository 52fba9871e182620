import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsUrl, Matches, MaxLength, ValidateIf } from 'class-validator';
import type { Resolution } from '../../../posts/index.js';

/** Numbers on most networks, `page_post` on Facebook, a URN on LinkedIn, base64url on YouTube. */
const POST_ID = /^[\w:.-]{1,200}$/;

/** What a person found in the account on the network. */
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
