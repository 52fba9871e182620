import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { isRecord, json } from './values.js';

export type SseItem =
  | { readonly kind: 'event'; readonly event: string | null; readonly data: string }
  /** JSON that is not in an event: the last item. Google sends errors so. `body` is undefined for other text. */
  | { readonly kind: 'bare'; readonly body: unknown };

/** An event, or JSON outside of events, is longer than `MAX_EVENT_CHARACTERS`. */
export class SseEventIsTooLong extends Error {
  readonly code = 'EVENT_TOO_LONG';

  constructor() {
    super('An event is longer than allowed.');
  }
}

export const MAX_EVENT_CHARACTERS = 1_048_576;
/** An error of a provider is far shorter. Together they bound the work for one that never becomes JSON. */
const MAX_BARE_CHARACTERS = 65_536;
const MAX_BARE_ATTEMPTS = 64;

/** A line that begins so is no field of an event. */
const BARE = /(?:^|[\r\n])[{[]/;
const BARE_IN_LATER_LINE = /[\r\n][{[]/;
/** The beginning of a field: JSON has no such line, because its names are quoted. */
const FIELD = /[\r\n](?:data|event|id|retry)?:/;
const LONGEST_FIELD = 8;

/**
 * Reads one body of `text/event-stream` (html.spec.whatwg.org, server-sent events), chunk by chunk. Bytes are decoded per stream, so that
 * a code point can be split over chunks. An event without its empty line at the end is not reported: it was cut.
 */
export class SseReader {
  private readonly decoder = new TextDecoder();
  private readonly parser: EventSourceParser;
  private items: SseItem[] = [];
  private isTooLong = false;
  private isAtLineStart = true;
  /** From the first line that is no field on. */
  private bare: string | null = null;
  private attempts = 0;
  private isFinished = false;

  constructor() {
    this.parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ event, data }: EventSourceMessage) => {
        if (data.length > MAX_EVENT_CHARACTERS) this.isTooLong = true;
        else this.items.push({ kind: 'event', event: event ?? null, data });
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.isTooLong = true;
      },
    });
  }

  /** @returns the items that are complete with this chunk. @throws SseEventIsTooLong */
  push(chunk: Uint8Array): readonly SseItem[] {
    this.take(this.decoder.decode(chunk, { stream: true }));
    if (this.isTooLong) throw new SseEventIsTooLong();
    const { items } = this;
    this.items = [];
    return items;
  }

  private take(decoded: string): void {
    if (decoded === '' || this.isTooLong || this.isFinished) return;
    if (this.bare !== null) return this.takeBare(decoded);
    const found = (this.isAtLineStart ? BARE : BARE_IN_LATER_LINE).exec(decoded);
    if (!found) {
      this.isAtLineStart = /[\r\n]$/.test(decoded);
      this.parser.feed(decoded);
      return;
    }
    const start = found.index + found[0].length - 1;
    if (start > 0) this.parser.feed(decoded.slice(0, start));
    this.bare = '';
    this.takeBare(decoded.slice(start));
  }

  /** Reported as soon as it is whole: the provider can keep the connection open. */
  private takeBare(decoded: string): void {
    const all = (this.bare ?? '') + decoded;
    // The text before `decoded` was searched; a field can begin at its end.
    const from = Math.max(all.length - decoded.length - LONGEST_FIELD, 0);
    const next = all.slice(from).search(FIELD);
    const whole = next < 0 ? all : all.slice(0, from + next);
    this.bare = all;
    this.isTooLong = whole.length > MAX_BARE_CHARACTERS || this.attempts > MAX_BARE_ATTEMPTS;
    if (this.isTooLong || (next < 0 && !/[}\]]\s*$/.test(decoded.slice(-16)))) return;
    this.attempts += 1;
    const body = json(whole);
    if (next < 0 && !isRecord(body) && !Array.isArray(body)) return;
    this.items.push({ kind: 'bare', body });
    this.isFinished = true;
  }
}
