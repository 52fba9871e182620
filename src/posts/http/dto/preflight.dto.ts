import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Finding, RenditionSpec } from '#libs/content';
import { PLATFORMS } from '../../../integrations/index.js';
import type { ContentReport, FileReport } from '../../queries/check-contents.js';
import { pointerInto } from '../../domain/batch.errors.js';
import { WarningDto } from './post-parts.dto.js';

export class FindingDto {
  @ApiProperty({ description: 'Stable name of the rule.', example: 'x.text.too-long' })
  ruleId!: string;

  @ApiProperty({
    description: 'A post with an `error` cannot be published.',
    enum: ['error', 'warning'],
    example: 'error',
  })
  severity!: 'error' | 'warning';

  @ApiProperty({ example: 'The text is longer than the network takes.' })
  message!: string;

  @ApiProperty({ description: 'JSON pointer into the post.', example: '#/text' })
  pointer!: string;

  static of({ ruleId, severity, message, pointer }: Finding): FindingDto {
    return { ruleId, severity, message, pointer };
  }
}

export class TextLengthDto {
  @ApiProperty({
    description: 'As the network counts it, with the link where it counts.',
    type: 'integer',
    example: 254,
  })
  length!: number;

  @ApiProperty({ description: 'The largest length that the network accepts.', type: 'integer', example: 280 })
  limit!: number;
}

const orNull = { nullable: true };

/** What the network would get of a file. */
export class FileForNetworkDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' })
  mediaId!: string;

  @ApiProperty({
    description:
      'null: nothing that the network takes can be made of the file; the other fields are null, too.',
    enum: ['image', 'animation', 'video', null],
    type: 'string',
    ...orNull,
    example: 'image',
  })
  kind!: RenditionSpec['kind'] | null;

  @ApiProperty({
    description: 'The format of the file is kept when it is one of them.',
    type: [String],
    ...orNull,
    example: ['jpeg', 'png'],
  })
  formats!: readonly string[] | null;

  @ApiProperty({ type: 'integer', ...orNull, example: 5_242_880 })
  maxBytes!: number | null;

  @ApiProperty({
    description: 'Pixels; a larger picture is scaled down.',
    type: 'integer',
    ...orNull,
    example: 4096,
  })
  maxWidth!: number | null;

  @ApiProperty({ description: 'Pixels.', type: 'integer', ...orNull, example: 4096 })
  maxHeight!: number | null;

  @ApiProperty({
    description: 'Smallest width / height; a picture outside is cropped around its focus point.',
    type: 'number',
    ...orNull,
    example: null,
  })
  minRatio!: number | null;

  @ApiProperty({ description: 'Largest width / height.', type: 'number', ...orNull, example: null })
  maxRatio!: number | null;

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
export class PreflightEntryDto {
  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: string;

  @ApiProperty({ description: 'No finding is an error.', example: true })
  publishable!: boolean;

  @ApiProperty({ description: 'With pointers into the entry, such as `#/text`.', type: () => [FindingDto] })
  findings!: FindingDto[];

  @ApiProperty({
    description: 'null: the network counts in a way that cannot be told beforehand.',
    type: () => TextLengthDto,
    ...orNull,
  })
  textLength!: TextLengthDto | null;

  @ApiProperty({ description: 'In the order of `mediaIds`.', type: () => [FileForNetworkDto] })
  media!: FileForNetworkDto[];

  @ApiProperty({
    description: 'As after creation; empty when no brand is named.',
    type: () => [WarningDto],
  })
  warnings!: WarningDto[];

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

export class PreflightResultDto {
  @ApiProperty({
    description: 'Whether the networks would accept all posts: no finding is an error.',
    example: false,
  })
  publishable!: boolean;

  @ApiProperty({
    description:
      'Of all posts; with pointers into the body, such as `#/posts/2/text` for the form with `posts`.',
    type: () => [FindingDto],
  })
  findings!: FindingDto[];

  @ApiPropertyOptional({
    description: 'For the form with `posts`, in its order.',
    type: () => [PreflightEntryDto],
  })
  posts?: PreflightEntryDto[];

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
