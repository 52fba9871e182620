import { type ApiPropertyOptions } from '@nestjs/swagger';
import { FAILURE_CLASSES, type FailureClass, type MediaKind } from '#libs/content';
import { is, shape } from '#libs/http';
import type { ApprovedVersion, Blocker, By } from '../../domain/post.events.js';
import type { Failure } from '../../domain/post.js';
import type { Retrying } from '../../domain/retrying.js';
import type { PostWarning } from '../../domain/warnings.js';
import type { ApprovalDetails } from '../../views/post-details.js';
import type { BlockedBy, PostFile } from '../../views/post-item.js';

export const APPROVED_VERSION: ApiPropertyOptions = {
  description: 'The version that the approval covers; null where an edit by a person renewed it.',
  type: 'integer',
  nullable: true,
  example: null,
};

export const APPROVAL_BASIS: ApiPropertyOptions = {
  description:
    '`if_match`: the caller named that version. `stored`: the request had no If-Match, so the approval covers what was stored when it was decided.',
  type: 'string',
  nullable: true,
  enum: ['if_match', 'stored', null],
  example: null,
};

/** The two fields as responses carry them: null where a person's edit renewed the approval. */
export const approvedVersionOf = (bound: ApprovedVersion | undefined) => ({
  version: bound?.version ?? null,
  basis: bound?.basis ?? null,
});

/** Automatic retries of a post after failures that had no effect on the network. */
export class RetryingDto extends shape({
  since: is.instant({
    description:
      'Of the first failure. After a budget from then on, 30 minutes by default, the post fails. What an operator has to repair has no budget: the post waits, and is sent after the repair.',
    example: '2026-11-21T09:30:02.114Z',
  }),
  failures: is.integer({ description: 'Attempts that failed so.', example: 2 }),
  code: is.text({ description: 'The last failure; stable machine name.', example: 'network_unreachable' }),
  networkCode: is.text({ description: 'What the network or the system calls it.' }).orNull,
  message: is.text({ example: 'X could not be reached; nothing was sent.' }),
  nextStep: is.text({
    description: 'What has to be done, and by whom.',
    example: 'An operator has to set LINKEDIN_VERSION to a current version; the post is then sent.',
  }),
}) {
  static of(retrying: Retrying | null): RetryingDto | null {
    if (!retrying) return null;
    const { since, failures, failure } = retrying;
    const { code, networkCode, message, nextStep } = failure;
    return { since, failures, code, networkCode, message, nextStep };
  }
}

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

export class ActorDto extends shape({
  type: is.text<'user' | 'service' | 'api_key' | 'system'>({
    enum: ['user', 'service', 'api_key', 'system'],
    example: 'user',
  }),
  id: is.text({ example: ID }),
}) {
  static of({ type, id }: By): ActorDto {
    return { type, id };
  }
}

export class ApprovalDto extends shape({
  state: is.text<ApprovalDetails['state']>({
    description: '`not_required` for posts that people wrote.',
    enum: ['not_required', 'pending', 'approved', 'rejected'],
    example: 'not_required',
  }),
  decidedBy: is.object(() => ActorDto).orNull,
  decidedAt: is.instant({ example: null }).orNull,
  reason: is.text({ example: null }).orNull,
  fingerprint: is.text({ description: 'SHA-256 of the approved content.', example: null }).orNull,
  version: is.of<number | null>(APPROVED_VERSION),
  basis: is.of<string | null>(APPROVAL_BASIS),
}) {
  static of({ state, decidedBy, decidedAt, reason, fingerprint, bound }: ApprovalDetails): ApprovalDto {
    return {
      state,
      decidedBy: decidedBy && ActorDto.of(decidedBy),
      decidedAt,
      reason,
      fingerprint,
      ...approvedVersionOf(bound),
    };
  }
}

export class FailureDto extends shape({
  code: is.text({ description: 'Stable code, the same for all networks.', example: 'duplicate_content' }),
  class: is.text<FailureClass>({
    description: '`unconfirmed`: the post may be live; resolve the delivery first.',
    enum: FAILURE_CLASSES,
    example: 'permanent',
  }),
  networkCode: is.text({ description: 'The error code of the network.', example: '187' }).orNull,
  message: is.text({ example: 'The network says the same text is there already.' }),
  nextStep: is.text({ example: 'Change the text, then retry.' }),
  failedAt: is.instant({ example: '2026-12-01T09:00:01.000Z' }),
  attemptId: is.uuid({ description: 'null if it failed before an attempt started.', example: ID }).orNull,
}) {
  static of({ code, class: kind, networkCode, message, nextStep, failedAt, attemptId }: Failure): FailureDto {
    return { code, class: kind, networkCode, message, nextStep, failedAt, attemptId };
  }
}

export class BlockedByDto
  extends shape({
    postId: is.uuid({ description: 'null if that part was deleted or is not created yet.', example: ID })
      .orNull,
    position: is.integer({ description: 'Position in the thread that must be published first.', example: 1 }),
  })
  implements BlockedBy {}

export class BlockerDto
  extends shape({
    ruleId: is.text({ description: 'Stable name of the rule.', example: 'x.media.unfit' }),
    message: is.text({
      description: 'What is wrong, then what to do.',
      example: 'The video has a codec that networks do not take. Export it with H.264.',
    }),
    pointer: is.text({ description: 'JSON pointer into the post.', example: '#/mediaIds/0' }),
  })
  implements Blocker {}

export class WarningDto
  extends shape({
    code: is.text({
      description:
        '`duplicate_text`, `time_conflict`, `thread_gap`, `account_not_connected` or `reconnect_needed` (for the account of the target), the id of a network rule, or `not_looked_up`: the post is saved, but its warnings could not be looked up.',
      example: 'duplicate_text',
    }),
    message: is.text({ example: 'Another post of this account within 24 hours says the same.' }),
    pointer: is.text({ description: 'JSON pointer into the post.', example: '#/text' }),
    postId: is.uuid({ description: 'The other post; null also if the caller may not see it.', example: ID })
      .orNull,
  })
  implements PostWarning
{
  static of({ code, message, pointer, postId }: PostWarning): WarningDto {
    return { code, message, pointer, postId };
  }
}

const FACT = { type: 'integer' as const, nullable: true };

export class PostFileDto
  extends shape({
    id: is.uuid({ example: ID }),
    kind: is.text<MediaKind>({
      description: 'null: the file no longer exists in the media library.',
      enum: ['image', 'animation', 'video'],
      example: 'image',
    }).orNull,
    contentType: is.text({ example: 'image/jpeg' }).orNull,
    bytes: is.of<number | null>({ ...FACT, description: 'Length of the original.', example: 1_250_000 }),
    width: is.of<number | null>({ ...FACT, description: 'Pixels, as shown.', example: 1600 }),
    height: is.of<number | null>({ ...FACT, description: 'Pixels, as shown.', example: 900 }),
    ratio: is.of<number | null>({
      type: 'number',
      nullable: true,
      description: 'width / height.',
      example: 1.7778,
    }),
    durationMs: is.of<number | null>({
      ...FACT,
      description: 'Of animations and videos, in milliseconds.',
      example: null,
    }),
    altText: is.text({ description: 'For people who do not see the file.', example: 'A cup of coffee' })
      .orNull,
    thumbnailUrl: is.text({
      format: 'uri',
      description:
        'Address of a small picture, valid for at least 2 hours; null without one, and in the response to a change of the post.',
      example: null,
    }).orNull,
  })
  implements PostFile {}
