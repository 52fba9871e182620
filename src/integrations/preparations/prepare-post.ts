import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DeliveryFile, FailureReport } from '#libs/content';
import { Database } from '#libs/database';
import { NetworkLimits } from '../limits/network-limits.js';
import type { DeliveryOutcome } from '../domain/delivery-outcome.js';
import { NETWORK_PROCESSING } from '../domain/network-state.js';
import type { PublishingProvider } from '../provider.types.js';
import type { NetworkCall, PrepareResponse, Prepared, Refusal } from '../domain/provider-publishing.js';
import { type PreparationKey, PreparationsStore } from './preparations.store.js';
import { processingTimeout, processingWait } from './processing-wait.js';

export interface PostToPrepare {
  readonly key: PreparationKey;
  readonly call: NetworkCall;
  readonly firstStep: string;
  /** Steps that this attempt may still take. */
  readonly maxSteps: number;
  /** false: the sender's lease is no longer safe; no further step begins and nothing is published. */
  readonly maySend: () => boolean;
  /** Records ids of the network in the running transaction. @throws when the attempt is no longer the sender's */
  readonly journal: (ids: Readonly<Record<string, string>>) => Promise<void>;
}

type Stopped =
  | (DeliveryOutcome & { readonly kind: 'held' | 'abandoned' | 'failed' })
  | { readonly kind: 'no-answer'; readonly failure: FailureReport }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Either everything is there for the irreversible call, or why not yet. `steps`: how many were taken. */
export type PrepareResult = { readonly steps: number } & (
  | { readonly kind: 'ready'; readonly prepared: Prepared }
  | { readonly kind: 'stopped'; readonly why: Stopped }
);

type Step = PrepareResponse & { kind: 'next' | 'wait' | 'ready' };

/** Ids enter the event log and addresses of calls: printable ASCII without space, at most 500 characters. */
const isOpaqueId = (id: string): boolean => /^[\x21-\x7e]{1,500}$/.test(id);

/** Those that the event log can hold. */
export const usableIds = (ids: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(ids).filter(([, id]) => isOpaqueId(id)));

const unreadable: FailureReport = {
  code: 'unreadable_answer',
  class: 'transient',
  networkCode: null,
  message: 'The network answered with an id that cannot be used. Nothing was published.',
  nextStep: 'Retry in some minutes.',
};

const tooManySteps: FailureReport = {
  code: 'network_steps_exceeded',
  class: 'transient',
  networkCode: null,
  message: 'The network asks for more steps than any post needs. Nothing was published.',
  nextStep: 'Check the media of the post, then retry it.',
};

/** Takes the steps that a network needs before a post can be published, from where an earlier attempt stopped. */
@Injectable()
export class PreparePost {
  constructor(
    private readonly database: Database,
    private readonly preparations: PreparationsStore,
    private readonly limits: NetworkLimits,
  ) {}

  async run(provider: PublishingProvider, post: PostToPrepare): Promise<PrepareResult> {
    if (!post.maySend()) return { kind: 'stopped', why: { kind: 'abandoned' }, steps: 0 };
    const begun = await this.preparations.begin(post.key, post.firstStep, revisionOf(post.call.files));
    const metered = { connectionId: post.key.connectionId, account: post.call.account };
    let { step, prepared } = begun;
    for (let steps = 0; ; steps += 1) {
      if (!post.maySend()) return { kind: 'stopped', why: { kind: 'abandoned' }, steps };
      if (step === null) return { kind: 'ready', prepared, steps };
      if (steps >= post.maxSteps)
        return { kind: 'stopped', why: { kind: 'failed', failure: tooManySteps }, steps };
      const call = { ...post.call, step, prepared };
      const answer = await this.limits.around(provider, metered, 'step', () => provider.prepare(call));
      if (answer.kind === 'no-answer' || answer.kind === 'refused' || answer.kind === 'held')
        return { kind: 'stopped', why: answer, steps };
      if (!Object.values(answer.ids ?? {}).every(isOpaqueId))
        return { kind: 'stopped', why: { kind: 'no-answer', failure: unreadable }, steps };
      if (answer.kind === 'wait') {
        const why = await this.wait(post, answer, prepared, begun.waitedMs);
        return { kind: 'stopped', why, steps: steps + 1 };
      }
      await this.store(post, answer, prepared);
      step = answer.kind === 'ready' ? null : answer.step;
      prepared = withReturned(prepared, answer);
    }
  }

  private async wait(
    post: PostToPrepare,
    answer: Step & { kind: 'wait' },
    prepared: Prepared,
    waitedMs: number,
  ): Promise<Stopped> {
    const waitMs = processingWait(answer.milliseconds, waitedMs);
    if (waitMs === null) return { kind: 'failed', failure: processingTimeout };
    const until = await this.store(post, answer, prepared, waitMs);
    return { kind: 'held', until, reason: NETWORK_PROCESSING };
  }

  /** The ids enter the event log in the transaction that stores the step. */
  private store(post: PostToPrepare, answer: Step, prepared: Prepared, waitMs = 0): Promise<string> {
    const step = answer.kind === 'ready' ? null : answer.step;
    const ids = answer.ids ?? {};
    const save = () => this.preparations.save(post.key, step, withReturned(prepared, answer), waitMs);
    if (Object.keys(ids).length === 0) return save();
    return this.database.transaction(async () => {
      await post.journal(ids);
      return save();
    });
  }
}

/** null without files. Rows hold 64 digits, however many files there are. */
const revisionOf = (files: readonly DeliveryFile[]): string | null =>
  files.length === 0
    ? null
    : createHash('sha256')
        .update(JSON.stringify(files.map(({ revision }) => revision)))
        .digest('hex');

const withReturned = (prepared: Prepared, { ids, addresses, notes }: Step): Prepared => ({
  ids: { ...prepared.ids, ...ids },
  addresses: { ...prepared.addresses, ...addresses },
  notes: { ...prepared.notes, ...notes },
  ageMs: prepared.ageMs,
});
