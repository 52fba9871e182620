import type { StreamEnd } from '../../wire/response.js';
import type { Ability } from './models.js';

/** What a call consumed. A token is counted in exactly one of them. */
export const NOTHING_USED = {
  /** Text tokens that were neither read from nor written to the cache. */
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  /** With reasoning. */
  outputTokens: 0,
  inputImageTokens: 0,
  outputImageTokens: 0,
  inputAudioTokens: 0,
  audioSeconds: 0,
  images: 0,
};
export type BilledUsage = Readonly<typeof NOTHING_USED>;

export interface BillLine {
  readonly sequence: number;
  readonly provider: string;
  /** `api`, or `ai-gateway`. */
  readonly host: string;
  readonly ability: Ability;
  readonly model: string;
  readonly key: string;
  readonly requestId: string;
  readonly at: string;
  /** Until the end of a stream: what was sent so far. */
  usage: BilledUsage;
  /** `open`: not sent yet, or still being sent. */
  end: StreamEnd | 'open';
  /** The fault that disturbed the call. */
  readonly fault: string | null;
}

/** Members that a line must have; `after` is a sequence number. */
export type BillFilter = Partial<Record<'provider' | 'model' | 'key' | 'ability', string>> & {
  readonly after?: number;
};

/** What the providers would bill, call by call, so that the gateway's own records can be compared with it. */
export class Bill {
  private lines: BillLine[] = [];
  private sequence = 0;
  forgotten = 0;

  constructor(private readonly capacity: number) {}

  add(line: Omit<BillLine, 'sequence' | 'end'>): BillLine {
    const added: BillLine = { sequence: ++this.sequence, ...line, end: 'open' };
    this.lines.push(added);
    const excess = this.lines.length - this.capacity;
    if (excess > this.capacity / 10) this.forgotten += this.lines.splice(0, excess).length;
    return added;
  }

  matching({ after = 0, ...members }: BillFilter): readonly BillLine[] {
    const wanted = Object.entries(members) as [keyof typeof members, string][];
    return this.lines.filter(
      (line) => line.sequence > after && wanted.every(([name, value]) => line[name] === value),
    );
  }

  clear(): void {
    this.lines = [];
    this.forgotten = 0;
  }
}

export function totalOf(lines: readonly BillLine[]): BilledUsage {
  const total: Record<keyof BilledUsage, number> = { ...NOTHING_USED };
  for (const { usage } of lines)
    for (const name of Object.keys(total) as (keyof BilledUsage)[]) total[name] += usage[name];
  return total;
}
