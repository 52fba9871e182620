import type { MediaKind } from '#libs/content';
import { is, shape } from '#libs/http';
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

export class UploaderDto extends shape({
  type: is.text<MediaFileRow['created_by_type']>({ enum: ['user', 'service', 'api_key'], example: 'user' }),
  id: is.uuid({
    description: 'Id at the identity service.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  }),
}) {}

export class RejectionDto extends shape({
  code: is.text({ description: 'Stable machine name.', example: 'upload_does_not_match' }),
  message: is.text({ example: 'The uploaded file is not the declared one.' }),
}) {}

const address = {
  type: 'string' as const,
  format: 'uri',
  nullable: true,
  example: null,
};

export class MediaDto extends shape(
  {
    id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' }),
    brandId: is.uuid({
      description: 'The brand that it belongs to.',
      example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    }),
    status: is.text<MediaStatus>({
      description:
        '`uploading` until the upload is completed, `inspecting` until its content is checked, then `ready` or `rejected`. Posts use ready files only. A rejected file is removed; its entry stays for 24 hours. A file that was ready is `rejected` with `media_missing` when the store has lost its bytes; its entry stays until it is deleted.',
      enum: MEDIA_STATUSES,
      enumName: 'MediaStatus',
      example: 'ready',
    }),
    kind: is.text<MediaKind>({
      description: 'As declared until the content is checked. A moving GIF or WebP is an `animation`.',
      enum: MEDIA_KINDS,
      enumName: 'MediaKind',
      example: 'image',
    }),
    fileName: is.text({
      description: 'Without folders and invisible characters; at most 255 bytes.',
      example: 'harbour.jpg',
    }),
    contentType: is.text({
      description: 'As declared until the content is checked, then as found in the bytes.',
      example: 'image/jpeg',
    }),
    bytes: is.integer({ description: 'Bytes.', example: 348_213 }),
    sha256: is.text({
      description:
        'SHA-256 of the file, in hex; null for an upload in parts, of which the store verified each part.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }).orNull,
    altText: is.text({
      description: 'Description for people who do not see the file.',
      example: 'Boats in a harbour at dawn',
    }).orNull,
    tags: is.texts({ example: ['summer', 'harbour'] }),
    focusPoint: is.object(() => FocusPointDto, {
      description: 'What stays visible when a rendition is cropped.',
    }),
    thumbnailUrl: is.of<string | null>({
      ...address,
      description: 'A small WebP image; valid for at least 2 hours.',
    }),
    previewUrl: is.of<string | null>({
      ...address,
      description: 'An image for screens; valid for at least 2 hours.',
    }),
    rejection: is.object(() => RejectionDto, { description: 'Why the file was refused.', example: null })
      .orNull,
    createdBy: is.object(() => UploaderDto, { description: 'Who uploaded it.' }),
    createdAt: is.instant({ example: '2026-11-22T09:00:00.000Z' }),
    updatedAt: is.instant({ example: '2026-11-22T09:00:00.000Z' }),
    version: is.integer({ description: 'Grows with each change; also in the ETag.', example: 2 }),
  },
  MediaFactsDto,
) {
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

export class MediaUseDto extends shape({
  postId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99' }),
  needed: is.flag({ description: 'The post is not published: the file cannot be deleted.', example: true }),
}) {}

export class MediaDetailDto extends shape(
  {
    uses: is.list(() => MediaUseDto, {
      description: 'The posts that use it: unpublished ones first, then newest first; at most 100.',
    }),
    downloadUrl: is.of<string | null>({
      ...address,
      description:
        'The file as it was uploaded, as a download; valid for 5 minutes. null unless it is ready.',
    }),
    renditions: is.list(() => FileRenditionDto, {
      description: 'What was made of it for networks, newest first; at most 50.',
    }),
    generation: is.object(() => GenerationDto, {
      description: 'How a model made the file; null for an upload.',
      example: null,
    }).orNull,
  },
  MediaDto,
) {
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
