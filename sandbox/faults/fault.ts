import { ControlRequestIsInvalid } from '../wire/control-request.js';

/** Faults before the call has an effect. */
export const REFUSALS = [
  'drop-before-effect',
  'rate-limited',
  'usage-capped',
  'unauthorized',
  'forbidden',
  'server-error-before-effect',
  'answer-instead',
] as const;

/** Faults after the effect: the client does not receive the response. */
export const LOSSES = [
  'drop-after-effect',
  'cut-answer',
  'server-error-after-effect',
  'unreadable-answer',
] as const;

export const KINDS = [
  'drop-on-arrival',
  'delay-before-effect',
  'delay-after-effect',
  ...REFUSALS,
  ...LOSSES,
] as const;

export type FaultKind = (typeof KINDS)[number];

/** What a fault applies to: every condition that is given must hold. */
export interface FaultTarget {
  readonly network?: string;
  /** One of the network's hosts, such as `api`. Others, such as the legacy one, are not affected. */
  readonly host?: string;
  /** Such as `POST /2/tweets`. */
  readonly route?: string;
  /** Id or username. */
  readonly account?: string;
  readonly textContains?: string;
}

export interface Fault extends FaultTarget {
  readonly kind: FaultKind;
  /** Ends after this many hits; without it, it stays until it is removed. */
  readonly times?: number;
  /** Share of the matching calls that are hit, 0 to 1; drawn from `seed`, so that a run can be repeated. */
  readonly probability: number;
  readonly seed: number;
  /** For the two delays. */
  readonly delayMs: number;
  /** For `rate-limited`: seconds until x-rate-limit-reset. */
  readonly resetSeconds: number;
  /** For server errors and `answer-instead`. */
  readonly status: number;
  /** For `forbidden`: which of the network's reasons. */
  readonly reason: string;
  /** For `answer-instead` and `unreadable-answer`: sent as it is. */
  readonly body?: string;
}

const NUMBERS = {
  times: { min: 1, max: 1_000_000, integer: true },
  probability: { min: 0, max: 1, integer: false },
  seed: { min: 0, max: 0xffff_ffff, integer: true },
  delayMs: { min: 0, max: 600_000, integer: true },
  resetSeconds: { min: 0, max: 86_400, integer: true },
  status: { min: 200, max: 599, integer: true },
} as const;

const TEXTS = ['network', 'host', 'route', 'account', 'textContains', 'reason', 'body'] as const;

const DEFAULTS = {
  probability: 1,
  seed: 1,
  delayMs: 1000,
  resetSeconds: 900,
  status: 503,
  reason: 'not-permitted',
};

/** @throws ControlRequestIsInvalid naming the member that is wrong: a fault that never fires would make a test meaningless. */
export function parseFault(input: unknown): Fault {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ControlRequestIsInvalid('A fault is a JSON object.');
  }
  const members = input as Record<string, unknown>;
  const known = new Set<string>(['kind', ...TEXTS, ...Object.keys(NUMBERS)]);
  const unknown = Object.keys(members).find((name) => !known.has(name));
  if (unknown !== undefined) throw new ControlRequestIsInvalid(`${unknown} is not a member of a fault.`);
  if (!KINDS.includes(members.kind as FaultKind)) {
    throw new ControlRequestIsInvalid(`kind must be one of ${KINDS.join(', ')}.`);
  }
  for (const name of TEXTS) {
    if (members[name] !== undefined && typeof members[name] !== 'string') {
      throw new ControlRequestIsInvalid(`${name} must be text.`);
    }
  }
  for (const [name, range] of Object.entries(NUMBERS)) mustBeInRange(name, members[name], range);
  if (members.kind === 'drop-on-arrival' && members.textContains !== undefined) {
    throw new ControlRequestIsInvalid(
      'drop-on-arrival does not read the body, so it cannot look for a text.',
    );
  }
  return { ...DEFAULTS, ...members } as unknown as Fault;
}

function mustBeInRange(
  name: string,
  value: unknown,
  range: { readonly min: number; readonly max: number; readonly integer: boolean },
): void {
  if (value === undefined) return;
  const fits = typeof value === 'number' && value >= range.min && value <= range.max;
  if (!fits || (range.integer && !Number.isInteger(value))) {
    throw new ControlRequestIsInvalid(
      `${name} must be ${range.integer ? 'a whole number' : 'a number'} from ${range.min} to ${range.max}.`,
    );
  }
}
