import { ControlRequestIsInvalid } from '../../wire/control-request.js';
import { count, flag, type MemberChecks, membersOf, oneOf, text } from '../../networks/kit/state/members.js';
import type { Problem } from './problem.js';
import { ABILITIES, type Ability } from './models.js';

/** The provider refuses the call, with its status, or with 200 and the error in the body. */
export const REFUSING = [
  'rate-limited',
  'quota-exhausted',
  'out-of-money',
  'spend-limit',
  'overloaded',
  'server-error',
  'model-retired',
  'policy',
  'unknown-key',
  'forbidden-key',
] as const;

/** A stream goes wrong after `afterParts` parts with content. */
export const BREAKING_STREAMS = [
  'stream-error',
  'stream-cut',
  'stream-cut-in-character',
  'stream-ends-early',
  'stream-without-usage',
] as const;

export const SPOILING_IMAGES = [
  'half-image',
  'wrong-image-type',
  'not-an-image',
  'no-image',
  'bill-without-image',
] as const;

export const AI_FAULTS = [
  ...REFUSING,
  ...BREAKING_STREAMS,
  ...SPOILING_IMAGES,
  'slow-first-byte',
  'slow-parts',
  'empty-choices',
  'no-usage',
  'zero-usage',
] as const;
export type AiFaultKind = (typeof AI_FAULTS)[number];

export interface AiFault {
  readonly kind: AiFaultKind;
  /** Without them every provider, model, key and capability. */
  readonly provider?: string;
  readonly model?: string;
  /** The id or the label of a key. */
  readonly key?: string;
  readonly ability?: Ability;
  /** Ends after this many calls. */
  readonly times?: number;
  /** Of `rate-limited`; null: no header. */
  readonly retryAfterSeconds: number | null;
  /** Of `server-error`. */
  readonly status: number;
  /** The error comes in the body of a response of status 200. */
  readonly inside200: boolean;
  readonly afterParts: number;
  /** Of the slow ones. */
  readonly delayMs: number;
}

const nullableSeconds = (value: unknown, name: string): void => {
  if (value !== null) count()(value, name);
};

const CHECKS: MemberChecks<AiFault> = {
  kind: oneOf(...AI_FAULTS),
  provider: text,
  model: text,
  key: text,
  ability: oneOf(...ABILITIES),
  times: count(1_000_000, 1),
  retryAfterSeconds: nullableSeconds,
  status: count(599, 400),
  inside200: flag,
  afterParts: count(1_000_000),
  delayMs: count(600_000),
};

const DEFAULTS = { retryAfterSeconds: 1, status: 500, inside200: false, afterParts: 2, delayMs: 1_000 };

export function parseAiFault(body: Readonly<Record<string, unknown>>, providers: readonly string[]): AiFault {
  const members = membersOf(CHECKS, body, 'a member of an AI fault');
  if (members.kind === undefined)
    throw new ControlRequestIsInvalid(`kind is one of ${AI_FAULTS.join(', ')}.`);
  if (members.provider !== undefined && !providers.includes(members.provider))
    throw new ControlRequestIsInvalid(`provider is ${providers.join(' or ')}.`);
  return { ...DEFAULTS, ...members, kind: members.kind };
}

export function problemOf({ kind, retryAfterSeconds, status }: AiFault, model: string): Problem | undefined {
  switch (kind) {
    case 'rate-limited':
      return { kind, retryAfterSeconds };
    case 'server-error':
      return { kind, status };
    case 'model-retired':
      return { kind: 'no-model', model };
    case 'unknown-key':
      return { kind, key: 'sk-unknown' };
    case 'policy':
      return { kind, isImage: false };
    case 'quota-exhausted':
    case 'out-of-money':
    case 'spend-limit':
    case 'overloaded':
    case 'forbidden-key':
      return { kind };
    default:
      return undefined;
  }
}
