import { ApiProperty } from '@nestjs/swagger';
import { AI_MARKS, type AiMark } from '#libs/content';
import { type MediaFileRow, mediaSummaryOf } from '../../views/media-file.view.js';

type Type = 'integer' | 'number' | 'boolean' | 'string';

/** An example of a picture by default: null where a fact does not apply. */
const fact = (type: Type, description: string, example: number | boolean | string | null = null) => ({
  description,
  type,
  nullable: true,
  example,
});

/** What inspection found out; null before, and where the kind of file has no such fact. */
export class MediaFactsDto {
  @ApiProperty(fact('integer', 'Pixels as shown, after orientation and rotation.', 1_200))
  width!: number | null;

  @ApiProperty(fact('integer', 'Pixels as shown.', 800))
  height!: number | null;

  @ApiProperty(fact('integer', 'Of animations and videos: milliseconds.'))
  durationMs!: number | null;

  @ApiProperty(fact('integer', 'Of animations: number of frames.'))
  frames!: number | null;

  @ApiProperty(fact('number', 'Of videos: frames per second, averaged.'))
  frameRate!: number | null;

  @ApiProperty(
    fact(
      'number',
      'Of videos: width of a pixel / its height; 1 for square pixels. width and height include it.',
    ),
  )
  pixelAspectRatio!: number | null;

  @ApiProperty(
    fact(
      'boolean',
      'Of videos: whether the codec or the container states fields, as of interlaced pictures. null: not known.',
    ),
  )
  isInterlaced!: boolean | null;

  @ApiProperty(fact('string', 'Of videos: codec parameter string (RFC 6381), such as `avc1.64001f`.'))
  videoCodec!: string | null;

  @ApiProperty(fact('string', 'Of videos: codec parameter string, such as `mp4a.40.2`; null without sound.'))
  audioCodec!: string | null;

  @ApiProperty(fact('integer', 'Of videos with sound.'))
  audioChannels!: number | null;

  @ApiProperty(fact('integer', 'Of videos with sound: samples per second.'))
  audioSampleRate!: number | null;

  @ApiProperty(fact('boolean', 'Of MP4 and QuickTime: whether the index comes before the data.'))
  indexFirst!: boolean | null;

  @ApiProperty(fact('boolean', 'Of MP4 and QuickTime: whether an edit list changes what is shown.'))
  hasEditLists!: boolean | null;

  @ApiProperty(
    fact(
      'boolean',
      'Whether the file has Content Credentials (a C2PA manifest). They are detected, not verified. A rendition that changes the bytes loses them. null: not known, as of GIF, Matroska and WebM.',
      false,
    ),
  )
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
    const { width, height, durationMs, frames, frameRate, pixelAspectRatio, ...rest } = mediaSummaryOf(row);
    const { isInterlaced, videoCodec, audioCodec, audioChannels, audioSampleRate, ...others } = rest;
    const { indexFirst, hasEditLists, hasCredentials, aiMark } = others;
    const shown = { width, height, durationMs, frames, frameRate, pixelAspectRatio, isInterlaced };
    const inFile = { videoCodec, audioCodec, audioChannels, audioSampleRate, indexFirst, hasEditLists };
    return { ...shown, ...inFile, hasCredentials, aiMark };
  }
}
