import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import {
  FORMATS,
  type PostFormat,
  type PostOptions,
  PRIVACIES,
  type Privacy,
  type Promotion,
  PROMOTIONS,
  type Reaction,
  REACTIONS,
} from '#libs/content';
import { is, shape, WhenSentOrNull } from '#libs/http';
import type { OptionChanges } from '../../domain/writing.js';
import { MAX_TAG, MAX_TAGS, MaxTotalCodePoints } from './text-rules.js';

/** No video of a network is longer than a day. */
const MAX_COVER_MS = 86_400_000;
/** Printable, without # at the start and without space at either end. */
const TAG = /^(?!#)[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;
const TAG_RULE = { message: 'must be a keyword without #', context: { code: 'not_a_tag' } };

const PRIVACY = {
  description: 'Who may see the post. Absent: the default of the network, which is `private` for YouTube.',
  enum: PRIVACIES,
};
const MADE_WITH_AI = {
  description:
    'It shows realistic pictures or sound that a machine made. Networks are also told when a file of the post says that a model made it (`aiMark`), whatever is sent here.',
  example: false,
};
const MADE_FOR_KIDS = { description: 'The author declares that the video is made for kids.', example: false };
const TAGS: { description: string; type: [typeof String]; example: string[] } = {
  description: `Keywords that are not part of the text, without #. At most ${MAX_TAGS} characters in all.`,
  type: [String],
  example: ['coffee'],
};
const PROMOTION = {
  description: 'What the post advertises: the own business of the author, or another one that paid for it.',
  enum: PROMOTIONS,
};
const DISALLOW = { description: 'What readers cannot do with the post.', enum: REACTIONS, isArray: true };
const FORMAT = { description: 'Where the network shows the post.', enum: FORMATS };
const COVER_AT = {
  description: 'Time of the frame of the video that is its cover, in milliseconds.',
  type: 'integer',
  minimum: 0,
  maximum: MAX_COVER_MS,
  example: 1_500,
} as const;

/** Choices that only some networks have; preflight refuses one that the network of the post does not have. */
export class PostOptionsDto
  extends shape({
    privacy: is.of<Privacy>(PRIVACY).optional,
    madeWithAi: is.flag(MADE_WITH_AI).optional,
    madeForKids: is.flag(MADE_FOR_KIDS).optional,
    tags: is.of<readonly string[]>(TAGS).optional,
    promotion: is.of<Promotion>(PROMOTION).optional,
    disallow: is.of<readonly Reaction[]>(DISALLOW).optional,
    format: is.of<PostFormat>(FORMAT).optional,
    coverAtMs: is.of<number>(COVER_AT).optional,
  })
  implements PostOptions
{
  static of(options: PostOptions = {}): PostOptionsDto {
    return { ...options };
  }
}

const orNull = { nullable: true };
const oneOf = (...choices: readonly string[]) => ({ type: 'string' as const, enum: [...choices, null] });

/** Options in request bodies: options that are not sent stay, null removes one. */
export class SentPostOptionsDto implements OptionChanges {
  @ApiPropertyOptional({ ...PRIVACY, ...orNull, ...oneOf(...PRIVACIES) })
  @WhenSentOrNull()
  @IsIn(PRIVACIES)
  privacy?: Privacy | null;

  @ApiPropertyOptional({ ...MADE_WITH_AI, type: 'boolean', ...orNull })
  @WhenSentOrNull()
  @IsBoolean()
  madeWithAi?: boolean | null;

  @ApiPropertyOptional({ ...MADE_FOR_KIDS, type: 'boolean', ...orNull })
  @WhenSentOrNull()
  @IsBoolean()
  madeForKids?: boolean | null;

  @ApiPropertyOptional({ ...TAGS, ...orNull })
  @WhenSentOrNull()
  @IsArray()
  @ArrayMaxSize(MAX_TAGS)
  @ArrayUnique({ message: 'must not name a tag twice' })
  @Matches(TAG, { ...TAG_RULE, each: true })
  @MaxLength(MAX_TAG, { each: true })
  @MaxTotalCodePoints(MAX_TAGS)
  tags?: string[] | null;

  @ApiPropertyOptional({ ...PROMOTION, ...orNull, ...oneOf(...PROMOTIONS) })
  @WhenSentOrNull()
  @IsIn(PROMOTIONS)
  promotion?: Promotion | null;

  @ApiPropertyOptional({ ...DISALLOW, ...orNull })
  @WhenSentOrNull()
  @IsArray()
  @ArrayMaxSize(REACTIONS.length)
  @ArrayUnique({ message: 'must not name a reaction twice' })
  @IsIn(REACTIONS, { each: true })
  disallow?: Reaction[] | null;

  @ApiPropertyOptional({ ...FORMAT, ...orNull, ...oneOf(...FORMATS) })
  @WhenSentOrNull()
  @IsIn(FORMATS)
  format?: PostFormat | null;

  @ApiPropertyOptional({ ...COVER_AT, ...orNull })
  @WhenSentOrNull()
  @IsInt()
  @Min(0)
  @Max(MAX_COVER_MS)
  coverAtMs?: number | null;
}

export function optionsIn(body: SentPostOptionsDto): OptionChanges {
  const { privacy, madeWithAi, madeForKids, tags, promotion, disallow, format, coverAtMs } = body;
  return { privacy, madeWithAi, madeForKids, tags, promotion, disallow, format, coverAtMs };
}
