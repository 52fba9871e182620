import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonical, IdempotencyKeyIsTaken, IdempotentRequestIsRunning } from '#libs/http';
import type { Attribution } from '../../access/attribution.js';
import {
  PaymentChangeIsInProgress,
  PaymentIsRefused,
  PaymentOutcomeIsUnknown,
  PaymentProviderGaveNoAnswer,
} from '../payments.errors.js';
import { OwnedObjects, type Reference } from '../stripe/owned-objects.js';
import { PaymentCredentials } from '../stripe/payment-credentials.js';
import { Executions } from './executions.js';
import type { OperationKind, ParamsOf, ResultOf } from './kinds.js';
import { type NewOperation, type Operation, OperationsStore } from './operations.store.js';

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex');

export interface Wanted<K extends OperationKind> {
  readonly kind: K;
  /** The object that is changed. */
  readonly target?: string;
  /** What the caller sent: a repetition with the same key must send the same. */
  readonly sent: object;
  readonly callerKey: string | null;
  /** Objects that the call names, in the account that it goes to. Without one, the account for new objects. */
  readonly references: readonly Reference[];
  /**
   * Not called for a known key, so that a repetition does not depend on what has changed since. With a target, what to send depends on
   * what that is now: it is asked while no other operation can change the target.
   */
  readonly params: () => ParamsOf<K> | Promise<ParamsOf<K>>;
}

/**
 * Calls that change something at the provider, each with one effect: an operation is recorded before the call, and every
 * repetition of the call, by the caller, after a lost response or by the sweep, sends the key of the operation. An object is changed
 * by one operation at a time.
 */
@Injectable()
export class Operations {
  constructor(
    private readonly store: OperationsStore,
    private readonly executions: Executions,
    private readonly objects: OwnedObjects,
    private readonly credentials: PaymentCredentials,
  ) {}

  /**
   * @returns the result, also that of an earlier request with the same key
   * @throws PaymentIsRefused, PaymentOutcomeIsUnknown, IdempotencyKeyIsTaken, IdempotentRequestIsRunning, PaymentChangeIsInProgress
   * and others that prove that nothing changed
   */
  async perform<K extends OperationKind>(attribution: Attribution, wanted: Wanted<K>): Promise<ResultOf<K>> {
    const { kind, target = null, sent, callerKey, params } = wanted;
    const requestHash = hashOf([kind, target, sent]);
    const known = await this.known(attribution, callerKey);
    if (known) return (await this.repeat(known, requestHash)) as ResultOf<K>;
    const request = target === null ? await params() : null;
    const credentialId = await this.credentialFor(attribution, wanted.references);
    const given = { attribution, credentialId, kind, target, request, requestHash, callerKey };
    const begun = await this.store.begin(given);
    if (!begun) return (await this.instead(given)) as ResultOf<K>;
    const operation = target === null ? begun : await this.complete(begun, params);
    return (await this.executions.execute(operation)) as ResultOf<K>;
  }

  private credentialFor(attribution: Attribution, references: readonly Reference[]): Promise<string> {
    return references.length > 0
      ? this.objects.credentialOf(attribution, references)
      : this.credentials.choose(attribution.organizationId);
  }

  /** The operation of the key. One that never came to its call is none. */
  private async known(attribution: Attribution, callerKey: string | null): Promise<Operation | null> {
    if (callerKey === null) return null;
    const known = await this.store.byCallerKey(attribution, callerKey);
    const isUnsent = known?.request === null && (known.state === 'running' || known.state === 'unknown');
    if (!isUnsent || !known.isDue) return known;
    await this.store.discardUnsent();
    return null;
  }

  /** Another request with the key has begun meanwhile, or another operation on the target is open. */
  private async instead(given: NewOperation): Promise<object> {
    const known = await this.known(given.attribution, given.callerKey);
    if (known) return this.repeat(known, given.requestHash);
    const open = await this.store.openOnTarget(given);
    throw open === null ? new IdempotentRequestIsRunning() : new PaymentChangeIsInProgress(open);
  }

  private async complete(operation: Operation, params: () => object | Promise<object>): Promise<Operation> {
    try {
      const completed = await this.store.complete(operation, await params());
      if (completed) return completed;
    } catch (error) {
      await this.store.forget(operation);
      throw error;
    }
    throw new PaymentProviderGaveNoAnswer();
  }

  private async repeat(known: Operation, requestHash: string): Promise<object> {
    if (known.requestHash !== requestHash) throw new IdempotencyKeyIsTaken();
    if (known.state === 'failed' && known.failure) throw new PaymentIsRefused(known.failure);
    if (known.state === 'done') return known.result ?? this.executions.ask(known);
    const taken = await this.store.take(known);
    if (taken) return this.executions.execute(taken);
    if (known.state === 'running' && !known.isDue) throw new IdempotentRequestIsRunning();
    throw new PaymentOutcomeIsUnknown(known.id);
  }
}
