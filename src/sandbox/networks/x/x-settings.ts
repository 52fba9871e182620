import { ControlRequestIsInvalid } from '../../wire/control-request.js';

/** What X does by default and a test may change. */
export interface XSettings {
  /** `off` lets every call pass, without the headers' counters ever reaching zero. */
  readonly rateLimits: 'on' | 'off';
  /** Calls per window by route, instead of X's own. */
  readonly limits: Readonly<Record<string, number>>;
  /** How long the same text of one account is refused. X does not publish the number. */
  readonly duplicateWindowSeconds: number;
  /** How long a GIF or a video is processed after its upload. */
  readonly mediaProcessingSeconds: number;
  /** The name of the error with which every processing ends; null: none. */
  readonly mediaProcessingError: string | null;
  /** What finalizing an upload again does: the same response as before, or 400. X does not document it. */
  readonly mediaFinalizedAgain: 'same' | 'refused';
  /** How long a media id can be used. */
  readonly mediaExpirySeconds: number;
  /** The longest video of an account without a subscription. */
  readonly maxVideoMinutes: number;
}

export const X_DEFAULTS: XSettings = {
  rateLimits: 'on',
  limits: {},
  duplicateWindowSeconds: 86_400,
  mediaProcessingSeconds: 1,
  mediaProcessingError: null,
  mediaFinalizedAgain: 'same',
  mediaExpirySeconds: 86_400,
  maxVideoMinutes: 20,
};

const COUNTS = [
  'duplicateWindowSeconds',
  'mediaProcessingSeconds',
  'mediaExpirySeconds',
  'maxVideoMinutes',
] as const;

const MAX_SECONDS = 366 * 86_400;

/** @throws ControlRequestIsInvalid naming what is wrong. */
export function parseSettings(input: unknown, current: XSettings, routes: readonly string[]): XSettings {
  if (typeof input !== 'object' || input === null)
    throw new ControlRequestIsInvalid('Settings are a JSON object.');
  const given = input as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(X_DEFAULTS, name));
  if (unknown !== undefined) throw new ControlRequestIsInvalid(`${unknown} is not a setting.`);
  if (given.rateLimits !== undefined && given.rateLimits !== 'on' && given.rateLimits !== 'off') {
    throw new ControlRequestIsInvalid('rateLimits is on or off.');
  }
  const { mediaFinalizedAgain: again } = given;
  if (again !== undefined && again !== 'same' && again !== 'refused') {
    throw new ControlRequestIsInvalid('mediaFinalizedAgain is same or refused.');
  }
  for (const name of COUNTS) {
    if (given[name] !== undefined && !isCount(given[name], MAX_SECONDS)) {
      throw new ControlRequestIsInvalid(`${name} is a whole number from 0 to ${MAX_SECONDS}.`);
    }
  }
  const { mediaProcessingError = null } = given;
  if (mediaProcessingError !== null && !/^[A-Za-z]{1,50}$/.test(mediaProcessingError as string)) {
    throw new ControlRequestIsInvalid('mediaProcessingError is null or 1 to 50 letters.');
  }
  mustBeLimits(given.limits ?? {}, routes);
  return { ...current, ...(given as Partial<XSettings>) };
}

function mustBeLimits(limits: unknown, routes: readonly string[]): void {
  for (const [route, limit] of Object.entries(limits as Record<string, unknown>)) {
    if (!routes.includes(route))
      throw new ControlRequestIsInvalid(`${route} has no limit; these have: ${routes.join(', ')}.`);
    if (!isCount(limit, 1_000_000))
      throw new ControlRequestIsInvalid('A limit is a whole number from 0 to 1000000.');
  }
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
