import { count, type MemberChecks, nullableText, oneOf } from '../kit/state/members.js';

/** What a container network does by default and a test may change. */
export interface ContainerSettings {
  /** Questions for the state of a new container that are answered with IN_PROGRESS. */
  readonly inProgressAnswers: number;
  /** The reason with which every new container fails; null: none. */
  readonly containerError: string | null;
  /** How long a container can be published. */
  readonly containerLifeSeconds: number;
  /** Posts of one account in 24 hours. */
  readonly quotaTotal: number;
  /** Of the budget of calls, in percent, as the usage header states; calls are refused above 100. */
  readonly usagePercent: number;
  /** How old a token must be to be exchanged for a newer one. */
  readonly refreshAfterSeconds: number;
  readonly longTokenSeconds: number;
  /** The form of the answer to a code: fields, or a list of one element. */
  readonly tokenForm: 'flat' | 'list';
  /** Whether lists show a post at once, or never. */
  readonly lists: 'complete' | 'empty';
}

export const CONTAINER_DEFAULTS: ContainerSettings = {
  inProgressAnswers: 0,
  containerError: null,
  containerLifeSeconds: 86_400,
  quotaTotal: 100,
  usagePercent: 1,
  refreshAfterSeconds: 86_400,
  longTokenSeconds: 5_184_000,
  tokenForm: 'flat',
  lists: 'complete',
};

export const CONTAINER_SETTINGS: MemberChecks<ContainerSettings> = {
  inProgressAnswers: count(1_000_000),
  containerError: nullableText(/^[A-Za-z0-9_:. ]{1,120}$/, '1 to 120 letters, digits or underscores'),
  containerLifeSeconds: count(),
  quotaTotal: count(1_000_000),
  usagePercent: count(1_000),
  refreshAfterSeconds: count(),
  longTokenSeconds: count(),
  tokenForm: oneOf('flat', 'list'),
  lists: oneOf('complete', 'empty'),
};
