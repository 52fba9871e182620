import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID, Matches } from 'class-validator';
import type { Target } from '#libs/content';
import { is, shape, WhenSentOrNull } from '#libs/http';
import type { TargetChanges } from '../../domain/writing.js';

/** Ids of networks are opaque: printable, without space. */
const NETWORK_ID = /^[\x21-\x7e]{1,255}$/;
const rule = { message: 'must be an id of 1 to 255 printable characters', context: { code: 'not_an_id' } };

const named = (description: string) => ({ description, maxLength: 255, example: '178414000' });
const CONNECTION = {
  description: 'A connection of the brand; by default it is chosen at publication. A new id must exist.',
  format: 'uuid',
  example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e44',
};
const PAGE = named('A page of the page-and-group network.');
const GROUP = named('A group of the page-and-group network.');
const ORGANIZATION = named('An organization of the professional network.');
const ACCOUNT = named('An account of the photo-sharing or the threaded-text network.');

/** The target on the network, if the account has several. */
export class PostTargetDto
  extends shape({
    connectionId: is.text(CONNECTION).optional,
    pageId: is.text(PAGE).optional,
    groupId: is.text(GROUP).optional,
    organizationId: is.text(ORGANIZATION).optional,
    accountId: is.text(ACCOUNT).optional,
  })
  implements Target
{
  static of({ connectionId, pageId, groupId, organizationId, accountId }: Target): PostTargetDto {
    return { connectionId, pageId, groupId, organizationId, accountId };
  }
}

const orNull = { type: 'string' as const, nullable: true };

/** The target in request bodies: fields that are not sent stay, null removes a field. */
export class SentTargetDto implements TargetChanges {
  @ApiPropertyOptional({ ...CONNECTION, ...orNull })
  @WhenSentOrNull()
  @IsUUID()
  connectionId?: string | null;

  @ApiPropertyOptional({ ...PAGE, ...orNull })
  @WhenSentOrNull()
  @IsString()
  @Matches(NETWORK_ID, rule)
  pageId?: string | null;

  @ApiPropertyOptional({ ...GROUP, ...orNull })
  @WhenSentOrNull()
  @IsString()
  @Matches(NETWORK_ID, rule)
  groupId?: string | null;

  @ApiPropertyOptional({ ...ORGANIZATION, ...orNull })
  @WhenSentOrNull()
  @IsString()
  @Matches(NETWORK_ID, rule)
  organizationId?: string | null;

  @ApiPropertyOptional({ ...ACCOUNT, ...orNull })
  @WhenSentOrNull()
  @IsString()
  @Matches(NETWORK_ID, rule)
  accountId?: string | null;
}

export function targetIn(body: SentTargetDto): TargetChanges {
  const { connectionId, pageId, groupId, organizationId, accountId } = body;
  return {
    connectionId: connectionId?.toLowerCase() ?? connectionId,
    pageId,
    groupId,
    organizationId,
    accountId,
  };
}
