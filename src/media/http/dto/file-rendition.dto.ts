import type { MediaFacts, MediaKind } from '#libs/content';
import { is, shape } from '#libs/http';
import type { MediaAddresses } from '../../host/media-addresses.js';
import { keepsOriginal } from '../../renditions/domain/fit.js';
import {
  RENDITION_STATUSES,
  type RenditionRow,
  type RenditionStatus,
} from '../../renditions/views/rendition.view.js';

export class RenditionFailureDto extends shape({
  code: is.text({
    description:
      'Stable machine name: `cannot_fit`, `needs_encoding`, `not_readable`, `kind_does_not_fit` or `media_missing`.',
    example: 'needs_encoding',
  }),
  message: is.text({ example: 'The sound has a codec that networks do not take. Export it with AAC.' }),
}) {}

const known = { nullable: true, description: 'null until it is ready.' } as const;

/** A file that was made of this one to fit a network. */
export class FileRenditionDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e88' }),
  status: is.text<RenditionStatus>({
    description: '`pending` until the worker has made it, then `ready` or `failed`.',
    enum: RENDITION_STATUSES,
    enumName: 'RenditionStatus',
    example: 'ready',
  }),
  kind: is.text<MediaKind>({
    enum: ['image', 'animation', 'video'],
    description: 'The kind that the network takes.',
    example: 'image',
  }),
  contentType: is.of<string | null>({ ...known, type: 'string', example: 'image/jpeg' }),
  bytes: is.of<number | null>({ ...known, type: 'integer', example: 214_000 }),
  width: is.of<number | null>({
    ...known,
    type: 'integer',
    description: 'Pixels, as shown.',
    example: 1_440,
  }),
  height: is.of<number | null>({
    ...known,
    type: 'integer',
    description: 'Pixels, as shown.',
    example: 1_080,
  }),
  durationMs: is.of<number | null>({
    ...known,
    type: 'integer',
    description: 'Of animations and videos.',
    example: null,
  }),
  keepsCredentials: is.flag({
    description:
      'Whether it has the Content Credentials of the file. false: the file has some, and was changed to fit, which loses them. null: the file has none, none are known, or the rendition is not ready.',
    example: null,
  }).orNull,
  url: is.of<string | null>({
    ...known,
    type: 'string',
    format: 'uri',
    description: 'Public address, valid for at least 24 hours; null until it is ready.',
    example: null,
  }),
  failure: is.object(() => RenditionFailureDto, {
    description: 'Why it cannot be made; while it is `pending`: why the try before failed.',
    example: null,
  }).orNull,
  createdAt: is.instant({ example: '2026-11-22T09:00:00.000Z' }),
}) {
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
