import { ApiProperty } from '@nestjs/swagger';
import type { MediaKind } from '#libs/content';
import type { MediaAddresses } from '../../host/media-addresses.js';
import type { RenditionRow, RenditionStatus } from '../../renditions/views/rendition.view.js';
import { RENDITION_STATUSES } from '../../renditions/views/rendition.view.js';

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
    ...known,
    type: 'string',
    format: 'uri',
    description: 'Public address, valid for at least 24 hours; null until it is ready.',
    example: null,
  })
  url!: string | null;

  @ApiProperty({
    description: 'Why it cannot be made.',
    type: () => RenditionFailureDto,
    nullable: true,
    example: null,
  })
  failure!: RenditionFailureDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-22T09:00:00.000Z' })
  createdAt!: string;

  static of(row: RenditionRow, addresses: MediaAddresses): FileRenditionDto {
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
      url: object === null ? null : addresses.of({ mediaId, object }),
      failure: row.failure && { ...row.failure },
      createdAt: row.created_at.toISOString(),
    };
  }
}
