import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Finding, Platform, RenditionSpec } from '#libs/content';
import { is, shape, WhenSent } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { pointerInto } from '../../domain/batch.js';
import type { ContentReport, FileReport } from '../../queries/check-contents.js';
import { BatchEntryDto, FindingDto, MAX_BATCH, SharedContentDto } from './batch.dto.js';
import { WarningDto } from './post-parts.dto.js';
import { SentTargetDto } from './target.dto.js';

/** A content for one network (`platform`, `text`), or one for several accounts (`posts`). Nothing is saved. */
export class PreflightDto extends SharedContentDto {
  @ApiPropertyOptional({
    description: 'The network of a single post. Required without `posts`, refused with it.',
    enum: PLATFORMS,
    enumName: 'Platform',
    example: 'x',
  })
  @ValidateIf(({ platform, posts }: PreflightDto) => platform !== undefined || posts === undefined)
  @IsIn(PLATFORMS)
  platform?: Platform;

  @ApiPropertyOptional({ description: 'Of a single post.', type: () => SentTargetDto })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => SentTargetDto)
  target?: SentTargetDto;

  @ApiPropertyOptional({
    description: 'Several posts, as `POST /api/posts/batch` takes them.',
    type: () => [BatchEntryDto],
    minItems: 1,
    maxItems: MAX_BATCH,
  })
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BatchEntryDto)
  posts?: BatchEntryDto[];
}

export class TextLengthDto extends shape({
  length: is.integer({
    description: 'As the network counts it, with the link where it counts.',
    example: 254,
  }),
  limit: is.integer({ description: 'The largest length that the network accepts.', example: 280 }),
}) {}

const orNull = { nullable: true };

/** What the network would get of a file. */
export class FileForNetworkDto extends shape({
  mediaId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' }),
  kind: is.of<RenditionSpec['kind'] | null>({
    description:
      'null: nothing that the network takes can be made of the file; the other fields are null, too.',
    enum: ['image', 'animation', 'video', null],
    type: 'string',
    ...orNull,
    example: 'image',
  }),
  formats: is.of<readonly string[] | null>({
    description: 'The format of the file is kept when it is one of them.',
    type: [String],
    ...orNull,
    example: ['jpeg', 'png'],
  }),
  maxBytes: is.of<number | null>({ type: 'integer', ...orNull, example: 5_242_880 }),
  maxWidth: is.of<number | null>({
    description: 'Pixels; a larger picture is scaled down.',
    type: 'integer',
    ...orNull,
    example: 4096,
  }),
  maxHeight: is.of<number | null>({ description: 'Pixels.', type: 'integer', ...orNull, example: 4096 }),
  minRatio: is.of<number | null>({
    description: 'Smallest width / height; a picture outside is cropped around its focus point.',
    type: 'number',
    ...orNull,
    example: null,
  }),
  maxRatio: is.of<number | null>({
    description: 'Largest width / height.',
    type: 'number',
    ...orNull,
    example: null,
  }),
}) {
  static of({ mediaId, spec }: FileReport): FileForNetworkDto {
    const bounds = spec !== null && 'maxWidth' in spec ? spec : null;
    const ratio = spec?.kind === 'image' ? spec.ratio : null;
    return {
      mediaId,
      kind: spec?.kind ?? null,
      formats: spec === null ? null : 'formats' in spec ? spec.formats : [spec.container],
      maxBytes: spec?.maxBytes ?? null,
      maxWidth: bounds?.maxWidth ?? null,
      maxHeight: bounds?.maxHeight ?? null,
      minRatio: ratio?.min ?? null,
      maxRatio: ratio?.max ?? null,
    };
  }
}

/** The answer for one post of the form with several. */
export class PreflightEntryDto extends shape({
  platform: is.text({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  publishable: is.flag({ description: 'No finding is an error.', example: true }),
  findings: is.list(() => FindingDto, { description: 'With pointers into the entry, such as `#/text`.' }),
  textLength: is.of<TextLengthDto | null>({
    description: 'null: the network counts in a way that cannot be told beforehand.',
    type: () => TextLengthDto,
    ...orNull,
  }),
  media: is.list(() => FileForNetworkDto, { description: 'In the order of `mediaIds`.' }),
  warnings: is.list(() => WarningDto, { description: 'As after creation; empty when no brand is named.' }),
}) {
  static of({ platform, findings, textLength, files, warnings }: ContentReport): PreflightEntryDto {
    return {
      platform,
      publishable: isPublishable(findings),
      findings: findings.map((finding) => FindingDto.of(finding)),
      textLength,
      media: files.map((file) => FileForNetworkDto.of(file)),
      warnings: warnings.map((warning) => WarningDto.of(warning)),
    };
  }
}

export class PreflightResultDto extends shape({
  publishable: is.flag({
    description: 'Whether the networks would accept all posts: no finding is an error.',
    example: false,
  }),
  findings: is.list(() => FindingDto, {
    description:
      'Of all posts; with pointers into the body, such as `#/posts/2/text` for the form with `posts`.',
  }),
  posts: is.list(() => PreflightEntryDto, { description: 'For the form with `posts`, in its order.' })
    .optional,
}) {
  static of(findings: readonly Finding[]): PreflightResultDto {
    return {
      publishable: isPublishable(findings),
      findings: findings.map((finding) => FindingDto.of(finding)),
    };
  }
  static ofAll(reports: readonly ContentReport[]): PreflightResultDto {
    const findings = reports.flatMap((report, index) =>
      report.findings.map((finding) => ({ ...finding, pointer: pointerInto(index, finding.pointer) })),
    );
    return {
      ...PreflightResultDto.of(findings),
      posts: reports.map((report) => PreflightEntryDto.of(report)),
    };
  }
}

const isPublishable = (findings: readonly Finding[]): boolean =>
  findings.every(({ severity }) => severity !== 'error');
