import { kindOf } from '#libs/content';
import { requireKnownType } from './aggregate.js';
import type { RecordedEvent } from './domain-event.js';

type Types = Readonly<Record<string, unknown>>;

/** The event types that the features of this process declare, by stream type. */
export class DeclaredTypes {
  private readonly folded = new Map<string, Types>();
  private readonly unfolded = new Map<string, Types>();

  /** Those that this release can fold. */
  declare(streamType: string, eventTypes: Types | undefined): void {
    if (eventTypes) this.folded.set(streamType, eventTypes);
  }

  /** Those of streams that are not folded: readers of the log accept other types too. */
  declareUnfolded(streamType: string, eventTypes: Types): void {
    this.unfolded.set(streamType, eventTypes);
  }

  /** @throws EventIsNewer for a type that is not declared for its folded stream type */
  require({ streamType, type }: Pick<RecordedEvent, 'streamType' | 'type'>): void {
    const known = this.folded.get(streamType);
    if (known) requireKnownType(known, type, streamType);
  }

  /** The kinds of all declared types, sorted. */
  get kinds(): string[] {
    return [...this.folded, ...this.unfolded]
      .flatMap(([streamType, types]) => Object.keys(types).map((type) => kindOf(streamType, type)))
      .sort();
  }
}
