import { ApiProperty } from '@nestjs/swagger';
import type { MediaKind } from '#libs/content';
import type { MediaAddresses } from '../../host/media-addresses.js';
import type { MediaDetail } from '../../queries/get-media.js';
import {
  MEDIA_STATUSES,
  type MediaFileRow,
  type MediaStatus,
  mediaSummaryOf,
} from '../../views/media-file.view.js';
import { FileRenditionDto } from './file-rendition.dto.js';
import { GenerationDto } from './generation.dto.js';
import { MediaFactsDto } from './media-facts.dto.js';
import { FocusPointDto } from './write-media.dto.js';

export const MEDIA_KINDS = ['image', 'animation', 'video'] as const satisfies readonly MediaKind[];

export class UploaderDto {
  @ApiProperty({ enum: ['user', 'service', 'api_key'], example: 'user' })
  type!: MediaFileRow['created_by_type'];

  @ApiProperty({
    description: 'Id at the identity service.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  id!: string;
}

export class RejectionDto {
  @ApiProperty({ description: 'Stable machine name.', example: 'upload_does_not_match' })
  code!: string;

  @ApiProperty({ example: 'The uploaded file is not the declared one.' })
  message!: string;
}

const address = {
  type: 'string' as const,
  format: 'uri',
  nullable: true,
  example: null,
};

export class MediaDto extends MediaFactsDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' })
  id!: string;

  @ApiProperty({
    description: 'The brand that it belongs to.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  brandId!: string;

  @ApiProperty({
    description:
      '`uploading` until the upload is completed, `inspecting` until its content is checked, then `ready` or `rejected`. Posts use ready files only. A rejected file is removed; its entry stays for 24 hours. A file that was ready is `rejected` with `media_missing` when the store has lost its bytes; its entry stays until it is deleted.',
    enum: MEDIA_STATUSES,
    enumName: 'MediaStatus',
    example: 'ready',
  })
  status!: MediaStatus;

  @ApiProperty({
    description: 'As declared until the content is checked. A moving GIF or WebP is an `animation`.',
    enum: MEDIA_KINDS,
    enumName: 'MediaKind',
    example: 'image',
  })
  kind!: MediaKind;

  @ApiProperty({
    description: 'Without folders and invisible characters; at most 255 bytes.',
    example: 'harbour.jpg',
  })
  fileName!: string;

  @ApiProperty({
    description: 'As declared until the content is checked, then as found in the bytes.',
    example: 'image/jpeg',
  })
  contentType!: string;

  @ApiProperty({ description: 'Bytes.', type: 'integer', example: 348_213 })
  bytes!: number;

  @ApiProperty({
    description:
      'SHA-256 of the file, in hex; null for an upload in parts, of which the store verified each part.',
    type: 'string',
    nullable: true,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256!: string | null;

  @ApiProperty({
    description: 'Description for people who do not see the file.',
    type: 'string',
    nullable: true,
    example: 'Boats in a harbour at dawn',
  })
  altText!: string | null;

  @ApiProperty({ type: [String], example: ['summer', 'harbour'] })
  tags!: string[];

  @ApiProperty({ description: 'What stays visible when a rendition is cropped.', type: () => FocusPointDto })
  focusPoint!: FocusPointDto;

  @ApiProperty({ ...address, description: 'A small WebP image; valid for at least 2 hours.' })
  thumbnailUrl!: string | null;

  @ApiProperty({ ...address, description: 'An image for screens; valid for at least 2 hours.' })
  previewUrl!: string | null;

  @ApiProperty({
    description: 'Why the file was refused.',
    type: () => RejectionDto,
    nullable: true,
    example: null,
  })
  rejection!: RejectionDto | null;

  @ApiProperty({ description: 'Who uploaded it.', type: () => UploaderDto })
  createdBy!: UploaderDto;

  @ApiProperty({ format: 'date-time', example: '2026-11-22T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-22T09:00:00.000Z' })
  updatedAt!: string;

  @ApiProperty({ description: 'Grows with each change; also in the ETag.', type: 'integer', example: 2 })
  version!: number;

  static of(row: MediaFileRow, addresses: MediaAddresses): MediaDto {
    const addressOf = (object: string | null) =>
      object === null ? null : addresses.of({ mediaId: row.id, object });
    return {
      ...identityOf(row),
      ...MediaFactsDto.in(row),
      altText: row.alt_text,
      tags: [...row.tags],
      focusPoint: { x: row.focus_x, y: row.focus_y },
      thumbnailUrl: addressOf(row.thumbnail_key),
      previewUrl: addressOf(row.preview_key),
      rejection: row.rejection && { ...row.rejection },
      createdBy: { type: row.created_by_type, id: row.created_by },
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      version: row.version,
    };
  }
}

const identityOf = (row: MediaFileRow) => ({
  id: row.id,
  brandId: row.brand_id,
  status: row.status,
  kind: row.kind,
  fileName: row.file_name,
  contentType: row.content_type,
  bytes: Number(row.bytes),
  sha256: row.sha256,
});

export class MediaUseDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99' })
  postId!: string;

  @ApiProperty({ description: 'The post is not published: the file cannot be deleted.', example: true })
  needed!: boolean;
}

export class MediaDetailDto extends MediaDto {
  @ApiProperty({
    description: 'The posts that use it: unpublished ones first, then newest first; at most 100.',
    type: () => [MediaUseDto],
  })
  uses!: MediaUseDto[];

  @ApiProperty({
    ...address,
    description: 'The file as it was uploaded, as a download; valid for 5 minutes. null unless it is ready.',
  })
  downloadUrl!: string | null;

  @ApiProperty({
    description: 'What was made of it for networks, newest first; at most 50.',
    type: () => [FileRenditionDto],
  })
  renditions!: FileRenditionDto[];

  @ApiProperty({
    description: 'How a model made the file; null for an upload.',
    type: () => GenerationDto,
    nullable: true,
    example: null,
  })
  generation!: GenerationDto | null;

  static ofDetail(
    { file, uses, downloadUrl, renditions, generation }: MediaDetail,
    addresses: MediaAddresses,
  ): MediaDetailDto {
    const facts = mediaSummaryOf(file);
    return {
      ...MediaDto.of(file, addresses),
      uses: uses.map((use) => ({ ...use })),
      downloadUrl,
      renditions: renditions.map((row) => FileRenditionDto.of(row, facts, addresses)),
      generation,
    };
  }
}
