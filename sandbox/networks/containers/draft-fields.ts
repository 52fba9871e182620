import type { Call } from '../../wire/call.js';
import { parameterProblem } from '../graph/graph-problems.js';
import type { ContainerDraft, MediaType } from './container.js';
import { ContainerIsRefused } from './dialect.js';

const MAX_ALT_TEXT = 1_000;

/** @throws ContainerIsRefused */
export function refuse(what: string, subcode?: number): never {
  const problem = parameterProblem(what);
  throw new ContainerIsRefused(subcode === undefined ? problem : { ...problem, subcode });
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

  /** The file that a container of this type has. */
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
