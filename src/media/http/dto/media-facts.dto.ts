import { AI_MARKS, type AiMark } from '#libs/content';
import { is, shape } from '#libs/http';
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
export class MediaFactsDto extends shape({
  width: is.of<number | null>(fact('integer', 'Pixels as shown, after orientation and rotation.', 1_200)),
  height: is.of<number | null>(fact('integer', 'Pixels as shown.', 800)),
  durationMs: is.of<number | null>(fact('integer', 'Of animations and videos: milliseconds.')),
  frames: is.of<number | null>(fact('integer', 'Of animations: number of frames.')),
  frameRate: is.of<number | null>(fact('number', 'Of videos: frames per second, averaged.')),
  pixelAspectRatio: is.of<number | null>(
    fact(
      'number',
      'Of videos: width of a pixel / its height; 1 for square pixels. width and height include it.',
    ),
  ),
  isInterlaced: is.of<boolean | null>(
    fact(
      'boolean',
      'Of videos: whether the codec or the container states fields, as of interlaced pictures. null: not known.',
    ),
  ),
  videoCodec: is.of<string | null>(
    fact('string', 'Of videos: codec parameter string (RFC 6381), such as `avc1.64001f`.'),
  ),
  audioCodec: is.of<string | null>(
    fact('string', 'Of videos: codec parameter string, such as `mp4a.40.2`; null without sound.'),
  ),
  audioChannels: is.of<number | null>(fact('integer', 'Of videos with sound.')),
  audioSampleRate: is.of<number | null>(fact('integer', 'Of videos with sound: samples per second.')),
  indexFirst: is.of<boolean | null>(
    fact('boolean', 'Of MP4 and QuickTime: whether the index comes before the data.'),
  ),
  hasEditLists: is.of<boolean | null>(
    fact('boolean', 'Of MP4 and QuickTime: whether an edit list changes what is shown.'),
  ),
  hasCredentials: is.of<boolean | null>(
    fact(
      'boolean',
      'Whether the file has Content Credentials (a C2PA manifest). They are detected, not verified. A rendition that changes the bytes loses them. null: not known, as of GIF, Matroska and WebM.',
      false,
    ),
  ),
  aiMark: is.text<AiMark>({
    description:
      'Whether the file says that a model made it, by the IPTC digital source type in its XMP or in its Content Credentials: `generated`, or `composite` with something generated. This is detected, not verified: no signature is checked. A picture that was generated here is always `generated`. Networks are told, and renditions say it too. null: not known, as of Matroska and WebM.',
    enum: [...AI_MARKS, null],
    example: 'none',
  }).orNull,
}) {
  static in(row: MediaFileRow): MediaFactsDto {
    const { width, height, durationMs, frames, frameRate, pixelAspectRatio, ...rest } = mediaSummaryOf(row);
    const { isInterlaced, videoCodec, audioCodec, audioChannels, audioSampleRate, ...others } = rest;
    const { indexFirst, hasEditLists, hasCredentials, aiMark } = others;
    const shown = { width, height, durationMs, frames, frameRate, pixelAspectRatio, isInterlaced };
    const inFile = { videoCodec, audioCodec, audioChannels, audioSampleRate, indexFirst, hasEditLists };
    return { ...shown, ...inFile, hasCredentials, aiMark };
  }
}
