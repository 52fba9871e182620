import { ControlRequestIsInvalid } from '../../wire/control-request.js';

/** What X does by default and a test may change. */
export interface XSettings {
  /** `off` lets every call pass, without the headers' counters ever reaching zero. */
  readonly rateLimits: 'on' | 'off';
  /** Calls per window by route, instead of X's own. */
  readonly limits: Readonly<Record<string, number>>;
  /** How long the same text of one account is refused. X does not publish the number. */
  readonly duplicateWindowSeconds: number;
}

export const X_DEFAULTS: XSettings = { rateLimits: 'on', limits: {}, duplicateWindowSeconds: 86_400 };

const MAX_SECONDS = 366 * 86_400;

/** @throws ControlRequestIsInvalid naming what is wrong. */
export function parseSettings(input: unknown, current: XSettings, routes: readonly string[]): XSettings {
  if (typeof input !== 'object' || input === null)
    throw new ControlRequestIsInvalid('Settings are a JSON object.');
  const { rateLimits, limits, duplicateWindowSeconds, ...others } = input as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new ControlRequestIsInvalid(`${unknown} is not a setting.`);
  if (rateLimits !== undefined && rateLimits !== 'on' && rateLimits !== 'off') {
    throw new ControlRequestIsInvalid('rateLimits is on or off.');
  }
  if (duplicateWindowSeconds !== undefined && !isCount(duplicateWindowSeconds, MAX_SECONDS)) {
    throw new ControlRequestIsInvalid(`duplicateWindowSeconds is a whole number from 0 to ${MAX_SECONDS}.`);
  }
  for (const [route, limit] of Object.entries((limits ?? {}) as Record<string, unknown>)) {
    if (!routes.includes(route))
      throw new ControlRequestIsInvalid(`${route} has no limit; these have: ${routes.join(', ')}.`);
    if (!isCount(limit, 1_000_000))
      throw new ControlRequestIsInvalid('A limit is a whole number from 0 to 1000000.');
  }
  return {
    rateLimits: rateLimits ?? current.rateLimits,
    limits: (limits as XSettings['limits'] | undefined) ?? current.limits,
    duplicateWindowSeconds: duplicateWindowSeconds ?? current.duplicateWindowSeconds,
  };
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
