import type { Call } from '../../wire/call.js';
import { GraphCallIsRefused, parameterProblem } from '../graph/graph-problems.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import { type ContainerDraft, type MediaType } from './dialect.js';

/** Both networks publish the same rules for the encoding of videos. */
export const VIDEO_ENCODING: Pick<
  VideoLimits,
  'containers' | 'codecs' | 'minFrameRate' | 'maxFrameRate' | 'maxWidth' | 'maxRatio'
> = {
  containers: ['mp4', 'mov'],
  codecs: ['avc', 'hevc'],
  minFrameRate: 23,
  maxFrameRate: 60,
  maxWidth: 1_920,
  maxRatio: 10,
};

export const MB = 1_000_000;

/** A post in the address of its page. */
export const shortcodeOf = (id: string): string => `C${BigInt(id).toString(36)}`;

/** An empty text for no shortcode. */
export function postIdOf(shortcode: string): string {
  const [, digits = ''] = /^C([0-9a-z]{1,20})$/.exec(shortcode) ?? [];
  if (digits === '') return '';
  return [...digits]
    .reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
    .toString();
}

const MAX_ALT_TEXT = 1_000;

export function refuse(what: string, subcode?: number): never {
  const problem = parameterProblem(what);
  throw new GraphCallIsRefused(subcode === undefined ? problem : { ...problem, subcode });
}

/** Fields of a call that creates a container, whichever way they were sent. */
export class DraftFields {
  private readonly fields: URLSearchParams;

  constructor(call: Call) {
    this.fields = new URLSearchParams([...call.query, ...call.form]);
  }

  text(name: string): string | null {
    const value = this.fields.get(name);
    return value === null || value === '' ? null : value;
  }

  flag(name: string): boolean {
    return this.text(name) === 'true';
  }

  /** A list of ids as text with commas. */
  list(name: string): string[] {
    return (this.text(name) ?? '').split(',').filter(Boolean);
  }

  /** Names that the network does not have are refused, because a misspelt choice would be lost. */
  mustHaveOnly(names: readonly string[]): void {
    const unknown = [...this.fields.keys()].find((name) => !names.includes(name) && name !== 'access_token');
    if (unknown !== undefined) refuse(`${unknown.slice(0, 40)} is not a parameter of this call.`);
  }

  altText(): string | null {
    const text = this.text('alt_text');
    if (text !== null && [...text].length > MAX_ALT_TEXT) refuse('alt_text has more than 1000 characters.');
    return text;
  }

  source(type: MediaType): ContainerDraft['source'] {
    const [image, video] = [this.text('image_url'), this.text('video_url')];
    if (image !== null && video !== null) refuse('image_url and video_url exclude each other.');
    if (type === 'IMAGE' && image === null) refuse('The parameter image_url is required.', 2_207_035);
    if ((type === 'VIDEO' || type === 'REELS') && video === null)
      refuse('The parameter video_url is required.', 2_207_035);
    if (image !== null) return { kind: 'image', address: image };
    return video === null ? null : { kind: 'video', address: video };
  }
}
