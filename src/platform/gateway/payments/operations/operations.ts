import { Injectable } from '@nestjs/common';
import { IdempotencyKeyIsTaken, IdempotentRequestIsRunning } from '#libs/http';
import type { Attribution } from '../../access/attribution.js';
import {
  PaymentChangeIsInProgress,
  PaymentIsRefused,
  PaymentOutcomeIsUnknown,
  PaymentProviderGaveNoAnswer,
} from '../payments.errors.js';
import { Executions } from './executions.js';
import type { OperationKind, ParamsOf } from './kinds.js';
import { type NewOperation, type Operation, OperationsStore } from './operations.store.js';
import { hashOf } from './request-hash.js';

export interface Prepared<K extends OperationKind> {
  readonly credentialId: string;
  /** A function: what to send depends on what the target is now. It is asked while no other operation can change the target. */
  readonly params: ParamsOf<K> | (() => Promise<ParamsOf<K>>);
}

export interface Wanted<K extends OperationKind> {
  readonly kind: K;
  /** The object that is changed. */
  readonly target?: string;
  /** What the caller sent: a repetition with the same key must send the same. */
  readonly sent: object;
  readonly callerKey: string | null;
  /** Not called for a known key, so that a repetition does not depend on what has changed since. */
  readonly prepare: () => Promise<Prepared<K>>;
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
  ) {}

  /**
   * @returns the result, also that of an earlier request with the same key
   * @throws PaymentIsRefused, PaymentOutcomeIsUnknown, IdempotencyKeyIsTaken, IdempotentRequestIsRunning, PaymentChangeIsInProgress
   * and others that prove that nothing changed
   */
  async perform<K extends OperationKind>(attribution: Attribution, wanted: Wanted<K>): Promise<object> {
    const { kind, target = null, sent, callerKey } = wanted;
    const requestHash = hashOf([kind, target, sent]);
    const known = await this.known(attribution, callerKey);
    if (known) return this.repeat(known, requestHash);
    const { credentialId, params } = await wanted.prepare();
    const later = typeof params === 'function' ? params : null;
    const request = later ? null : params;
    const given = { attribution, credentialId, kind, target, request, requestHash, callerKey };
    const begun = await this.store.begin(given);
    if (!begun) return this.instead(given);
    return this.executions.execute(later ? await this.complete(begun, later) : begun);
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

  private async complete(operation: Operation, params: () => Promise<object>): Promise<Operation> {
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
