import { ApiProperty } from '@nestjs/swagger';
import { AI_MARKS, type AiMark } from '#libs/content';
import { type MediaFileRow, mediaSummaryOf } from '../../views/media-file.view.js';

/** Of an image as uploaded: null where a fact does not apply. */
const integer = (description: string, example: number | null = null) => ({
  description,
  type: 'integer' as const,
  nullable: true,
  example,
});

/** What inspection found out; null before, and where the kind of file has no such fact. */
export class MediaFactsDto {
  @ApiProperty(integer('Pixels as shown, after orientation and rotation.', 1_200))
  width!: number | null;

  @ApiProperty(integer('Pixels as shown.', 800))
  height!: number | null;

  @ApiProperty(integer('Of animations and videos: milliseconds.'))
  durationMs!: number | null;

  @ApiProperty(integer('Of animations: number of frames.'))
  frames!: number | null;

  @ApiProperty({
    description: 'Of videos: frames per second, averaged.',
    type: 'number',
    nullable: true,
    example: null,
  })
  frameRate!: number | null;

  @ApiProperty({
    description:
      'Of videos: width of a pixel / its height; 1 for square pixels. width and height include it.',
    type: 'number',
    nullable: true,
    example: null,
  })
  pixelAspectRatio!: number | null;

  @ApiProperty({
    description:
      'Of videos: whether the codec or the container states fields, as of interlaced pictures. null: not known.',
    type: 'boolean',
    nullable: true,
    example: null,
  })
  isInterlaced!: boolean | null;

  @ApiProperty({
    description: 'Of videos: codec parameter string (RFC 6381), such as `avc1.64001f`.',
    type: 'string',
    nullable: true,
    example: null,
  })
  videoCodec!: string | null;

  @ApiProperty({
    description: 'Of videos: codec parameter string, such as `mp4a.40.2`; null without sound.',
    type: 'string',
    nullable: true,
    example: null,
  })
  audioCodec!: string | null;

  @ApiProperty(integer('Of videos with sound.'))
  audioChannels!: number | null;

  @ApiProperty(integer('Of videos with sound: samples per second.'))
  audioSampleRate!: number | null;

  @ApiProperty({
    description: 'Of MP4 and QuickTime: whether the index comes before the data.',
    type: 'boolean',
    nullable: true,
    example: null,
  })
  indexFirst!: boolean | null;

  @ApiProperty({
    description: 'Of MP4 and QuickTime: whether an edit list changes what is shown.',
    type: 'boolean',
    nullable: true,
    example: null,
  })
  hasEditLists!: boolean | null;

  @ApiProperty({
    description:
      'Whether the file has Content Credentials (a C2PA manifest). They are detected, not verified. A rendition that changes the bytes loses them. null: not known, as of GIF, Matroska and WebM.',
    type: 'boolean',
    nullable: true,
    example: false,
  })
  hasCredentials!: boolean | null;

  @ApiProperty({
    description:
      'Whether the file says that a model made it, by the IPTC digital source type in its XMP or in its Content Credentials: `generated`, or `composite` with something generated. This is detected, not verified: no signature is checked. A picture that was generated here is always `generated`. Networks are told, and renditions say it too. null: not known, as of Matroska and WebM.',
    enum: [...AI_MARKS, null],
    type: 'string',
    nullable: true,
    example: 'none',
  })
  aiMark!: AiMark | null;

  static in(row: MediaFileRow): MediaFactsDto {
    const { width, height, durationMs, frames, frameRate, pixelAspectRatio, isInterlaced, ...rest } =
      mediaSummaryOf(row);
    const { videoCodec, audioCodec, audioChannels, audioSampleRate, ...others } = rest;
    const { indexFirst, hasEditLists, hasCredentials, aiMark } = others;
    const shown = { width, height, durationMs, frames, frameRate, pixelAspectRatio, isInterlaced };
    const inFile = { videoCodec, audioCodec, audioChannels, audioSampleRate, indexFirst, hasEditLists };
    return { ...shown, ...inFile, hasCredentials, aiMark };
  }
}
