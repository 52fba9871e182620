import { ApiProperty } from '@nestjs/swagger';
import type { MediaFacts, MediaKind } from '#libs/content';
import type { MediaAddresses } from '../../host/media-addresses.js';
import { keepsOriginal } from '../../renditions/domain/fit.js';
import {
  RENDITION_STATUSES,
  type RenditionRow,
  type RenditionStatus,
} from '../../renditions/views/rendition.view.js';

export class RenditionFailureDto {
  @ApiProperty({
    description:
      'Stable machine name: `cannot_fit`, `needs_encoding`, `not_readable`, `kind_does_not_fit` or `media_missing`.',
    example: 'needs_encoding',
  })
  code!: string;

  @ApiProperty({ example: 'The sound has a codec that networks do not take. Export it with AAC.' })
  message!: string;
}

const known = { nullable: true, description: 'null until it is ready.' } as const;

/** A file that was made of this one to fit a network. */
export class FileRenditionDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e88' })
  id!: string;

  @ApiProperty({
    description: '`pending` until the worker has made it, then `ready` or `failed`.',
    enum: RENDITION_STATUSES,
    enumName: 'RenditionStatus',
    example: 'ready',
  })
  status!: RenditionStatus;

  @ApiProperty({
    enum: ['image', 'animation', 'video'],
    description: 'The kind that the network takes.',
    example: 'image',
  })
  kind!: MediaKind;

  @ApiProperty({ ...known, type: 'string', example: 'image/jpeg' })
  contentType!: string | null;

  @ApiProperty({ ...known, type: 'integer', example: 214_000 })
  bytes!: number | null;

  @ApiProperty({ ...known, type: 'integer', description: 'Pixels, as shown.', example: 1_440 })
  width!: number | null;

  @ApiProperty({ ...known, type: 'integer', description: 'Pixels, as shown.', example: 1_080 })
  height!: number | null;

  @ApiProperty({ ...known, type: 'integer', description: 'Of animations and videos.', example: null })
  durationMs!: number | null;

  @ApiProperty({
    nullable: true,
    type: 'boolean',
    description:
      'Whether it has the Content Credentials of the file. false: the file has some, and was changed to fit, which loses them. null: the file has none, none are known, or the rendition is not ready.',
    example: null,
  })
  keepsCredentials!: boolean | null;

  @ApiProperty({
    ...known,
    type: 'string',
    format: 'uri',
    description: 'Public address, valid for at least 24 hours; null until it is ready.',
    example: null,
  })
  url!: string | null;

  @ApiProperty({
    description: 'Why it cannot be made; while it is `pending`: why the try before failed.',
    type: () => RenditionFailureDto,
    nullable: true,
    example: null,
  })
  failure!: RenditionFailureDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-22T09:00:00.000Z' })
  createdAt!: string;

  static of(row: RenditionRow, file: MediaFacts, addresses: MediaAddresses): FileRenditionDto {
    const { object_key: object, media_id: mediaId } = row;
    return {
      id: row.id,
      status: row.status,
      kind: row.spec.kind,
      contentType: row.content_type,
      bytes: row.bytes === null ? null : Number(row.bytes),
      width: row.width,
      height: row.height,
      durationMs: row.duration_ms,
      keepsCredentials: keepsCredentials(row, file),
      url: object === null ? null : addresses.of({ mediaId, object }),
      failure: row.failure && { ...row.failure },
      createdAt: row.created_at.toISOString(),
    };
  }
}

function keepsCredentials({ status, spec }: RenditionRow, file: MediaFacts): boolean | null {
  if (status !== 'ready' || !file.hasCredentials) return null;
  return keepsOriginal(file, spec);
}
