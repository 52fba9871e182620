import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID, Matches } from 'class-validator';
import { WhenSent } from '#libs/http';
import type { Target } from '../post.events.js';

/** Ids of networks are opaque: printable, without space. */
const NETWORK_ID = /^[\x21-\x7e]{1,255}$/;
const named = (what: string) => ({ description: what, maxLength: 255, example: '178414000' });
const rule = { message: 'must be an id of 1 to 255 printable characters', context: { code: 'not_an_id' } };

/** Where on the network it goes, when the account alone does not say. */
export class PostTargetDto implements Target {
  @ApiPropertyOptional({
    description: 'One connection of the brand, instead of the one chosen when it goes out.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e44',
  })
  @WhenSent()
  @IsUUID()
  connectionId?: string;

  @ApiPropertyOptional(named('A page of the page-and-group network.'))
  @WhenSent()
  @IsString()
  @Matches(NETWORK_ID, rule)
  pageId?: string;

  @ApiPropertyOptional(named('A group of the page-and-group network.'))
  @WhenSent()
  @IsString()
  @Matches(NETWORK_ID, rule)
  groupId?: string;

  @ApiPropertyOptional(named('An organization of the professional network.'))
  @WhenSent()
  @IsString()
  @Matches(NETWORK_ID, rule)
  organizationId?: string;

  @ApiPropertyOptional(named('An account of the photo-sharing or the threaded-text network.'))
  @WhenSent()
  @IsString()
  @Matches(NETWORK_ID, rule)
  accountId?: string;

  static of({ connectionId, pageId, groupId, organizationId, accountId }: Target): PostTargetDto {
    return { connectionId: connectionId?.toLowerCase(), pageId, groupId, organizationId, accountId };
  }
}
