import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Platform } from '#libs/content';
import { is, shape } from '#libs/http';
import { PLATFORMS } from '../../../../integrations/index.js';
import type { SuggestedPost } from '../../commands/suggest-trend.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const PLATFORM = { enum: PLATFORMS, enumName: 'Platform', example: 'x' };

export class SuggestTrendDto {
  @ApiProperty({ ...PLATFORM, description: 'The network of the post.' })
  @IsIn(PLATFORMS)
  platform!: Platform;
}

export class TrendSuggestionDto extends shape({
  trendId: is.uuid({ example: ID }),
  postId: is.uuid({ example: ID, description: 'The post, and the item of the content queue.' }),
  brandId: is.uuid({ example: ID }),
  platform: is.of<Platform>(PLATFORM),
  text: is.text({ example: 'Cold brew sells in winter too\n\nSource: Coffee News' }),
  link: is.text({ format: 'uri', example: 'https://news.example.com/cold-brew' }).orNull,
  status: is.text({ enum: ['draft', 'scheduled', 'published', 'failed'], example: 'draft' }),
  approvalState: is.text({ enum: ['pending', 'approved', 'rejected', 'not_required'], example: 'pending' }),
}) {
  static of(trendId: string, { post }: SuggestedPost): TrendSuggestionDto {
    const { id, brandId, platform, text, link, status, approval } = post;
    return { trendId, postId: id, brandId, platform, text, link, status, approvalState: approval.state };
  }
}
