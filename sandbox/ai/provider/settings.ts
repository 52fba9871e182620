import { count, flag, type MemberChecks, oneOf } from '../../networks/kit/state/members.js';

/** What a test may change at a provider. */
export interface AiSettings {
  /** Time until a response, or until the first byte of a stream. */
  readonly delayMs: number;
  /** Time between two parts of a stream. */
  readonly partDelayMs: number;
  /** Of one key. */
  readonly requestsPerMinute: number;
  /** Tokens in one part of a stream. */
  readonly tokensPerPart: number;
  readonly lineEnd: 'lf' | 'crlf' | 'cr';
  /** Writes characters of several bytes in two parts. */
  readonly splitsCharacters: boolean;
  /** Models in one page of a list route. */
  readonly modelsPerPage: number;
}

export const AI_DEFAULTS: AiSettings = {
  delayMs: 0,
  partDelayMs: 0,
  requestsPerMinute: 100_000,
  tokensPerPart: 3,
  lineEnd: 'lf',
  splitsCharacters: true,
  modelsPerPage: 1_000,
};

export const AI_SETTINGS: MemberChecks<AiSettings> = {
  delayMs: count(600_000),
  partDelayMs: count(600_000),
  requestsPerMinute: count(10_000_000),
  tokensPerPart: count(1_000, 1),
  lineEnd: oneOf('lf', 'crlf', 'cr'),
  splitsCharacters: flag,
  modelsPerPage: count(1_000, 1),
};
