import { Injectable, Logger } from '@nestjs/common';
import { Database, repeated, WAITS_MS } from '#libs/database';
import { GatewayAudit, actorOfAttribution } from '../../audit/gateway-audit.js';
import { keyDigest } from '../../credentials/key-digest.js';
import { OwnedObjects } from '../stripe/owned-objects.js';
import { type PaymentCredential, PaymentCredentials } from '../stripe/payment-credentials.js';
import { PaymentOutcomeIsUnknown } from '../payments.errors.js';
import { KeyAccounts } from '../stripe/key-accounts.js';
import { errorOf, type Outcome, outcomeOf } from '../stripe/outcome.js';
import { StripeClients } from '../stripe/stripe-http.js';
import { type Executed, type Kind, kindNamed, providerKeyOf } from './kinds.js';
import { type Operation, OperationsStore } from './operations.store.js';

/** `other-account`: the key that there is now can be of another account than an earlier call. Nothing was sent. */
type CallOutcome = Outcome<Executed> | { readonly kind: 'other-account' };

/** The call of an operation and its outcome. Only the process that has taken the operation stores one. */
@Injectable()
export class Executions {
  private readonly logger = new Logger(Executions.name);

  constructor(
    private readonly store: OperationsStore,
    private readonly database: Database,
    private readonly objects: OwnedObjects,
    private readonly credentials: PaymentCredentials,
    private readonly clients: StripeClients,
    private readonly accounts: KeyAccounts,
    private readonly audit: GatewayAudit,
  ) {}

  /** The call of an operation that this process has taken. Stores the outcome. @throws as `Operations.perform` */
  async execute(operation: Operation): Promise<object> {
    const outcome = await this.call(operation);
    switch (outcome.kind) {
      case 'done':
        await this.storing(operation, () => this.finish(operation, outcome.value));
        return outcome.value.result;
      case 'refused':
        await this.storing(operation, () => this.store.refuse(operation, outcome.refusal));
        throw errorOf(outcome);
      case 'unknown':
        await this.storing(operation, () => this.store.postpone(operation));
        throw new PaymentOutcomeIsUnknown(operation.id);
      case 'other-account':
        await this.storing(operation, () => this.store.abandon(operation));
        this.logger.error(
          { operationId: operation.id, kind: operation.kind },
          'The outcome of a payment operation stays unknown: the new key is not known to be of the same account.',
        );
        throw new PaymentOutcomeIsUnknown(operation.id);
      default:
        await this.storing(operation, () => this.store.forget(operation));
        // An earlier attempt can have had the effect, which this one says nothing about.
        throw operation.attempts > 1 ? new PaymentOutcomeIsUnknown(operation.id) : errorOf(outcome);
    }
  }

  /**
   * Stores the outcome of a call. A repetition changes nothing after an earlier try has stored it: each statement is for the running last
   * attempt only. What is not stored, a repetition of the operation finds out.
   * @throws PaymentOutcomeIsUnknown
   */
  private async storing(operation: Operation, store: () => Promise<void>): Promise<void> {
    try {
      await repeated(store, WAITS_MS.brief);
    } catch (error) {
      const { id, kind } = operation;
      this.logger.error(
        { err: error, operationId: id, kind },
        'The outcome of a payment call was not stored.',
      );
      throw new PaymentOutcomeIsUnknown(id);
    }
  }

  /** Of a result that is not stored. The provider returns the first one. */
  async ask(operation: Operation): Promise<object> {
    if (!operation.isRepeatable || !operation.request) throw new PaymentOutcomeIsUnknown(operation.id);
    const outcome = await this.call(operation);
    if (outcome.kind === 'done') return outcome.value.result;
    if (outcome.kind === 'unknown' || outcome.kind === 'other-account')
      throw new PaymentOutcomeIsUnknown(operation.id);
    throw errorOf(outcome);
  }

  private async call(operation: Operation): Promise<CallOutcome> {
    const kind = kindNamed(operation.kind);
    if (!kind || !operation.request) return { kind: 'unknown' };
    const credential = await this.credentials.open(operation.credentialId);
    if (!credential) return { kind: 'credential', status: 401 };
    const allowed = await this.allowed(operation, credential);
    const outcome = allowed === true ? await this.sent(operation, kind, credential) : allowed;
    await this.credentials.note(credential, outcome);
    return outcome;
  }

  /** Repeats a call with an unknown outcome once: the key makes it safe, and mostly only the response was lost. */
  private async sent(operation: Operation, kind: Kind, { key }: PaymentCredential): Promise<CallOutcome> {
    const stripe = this.clients.for(key);
    const { request, target } = operation;
    const options = { idempotencyKey: providerKeyOf(operation.id) };
    const once = () => outcomeOf(() => kind.run(stripe, request as never, options, target));
    const first = await once();
    if (first.kind !== 'unknown') return first;
    const second = await once();
    // Another failure of the repetition says nothing about the first call.
    return second.kind === 'done' || second.kind === 'refused' ? second : first;
  }

  /**
   * Whether the call may be sent with the key, which must be of the account of the calls before. Account and key are stored before it
   * is used, as the credential can be rotated at any time.
   */
  private async allowed(operation: Operation, credential: PaymentCredential): Promise<true | CallOutcome> {
    const digest = keyDigest(credential);
    const isOtherKey = operation.keyDigest !== null && operation.keyDigest !== digest;
    if (isOtherKey && operation.account === null) return { kind: 'other-account' };
    const read = await this.accounts.of(credential);
    if (read.kind === 'unread' && read.outcome.kind !== 'unknown') return read.outcome;
    const account = read.kind === 'known' ? read.account : null;
    if (isOtherKey && read.kind === 'unread') return read.outcome;
    if (isOtherKey && account !== operation.account) return { kind: 'other-account' };
    const isOpen = operation.state === 'running';
    if (isOpen && !(await this.store.enter(operation, digest, account))) return { kind: 'unknown' };
    return true;
  }

  /** Objects before the operation, in the order of `EventsStore.receive`: both run at once, and must not deadlock. */
  private async finish(operation: Operation, { id, owned, result }: Executed): Promise<void> {
    const isSecret = kindNamed(operation.kind)?.isSecret ?? false;
    await this.database.transaction(async (transaction) => {
      await this.objects.bind(transaction, [operation.credentialId], operation, owned);
      if (!(await this.store.finish(transaction, operation, id, isSecret ? null : result))) return;
      await this.audit.record(transaction, {
        action: `payment_${operation.kind.replace('.', '_')}d`,
        actor: actorOfAttribution(operation),
        organizationId: operation.organizationId,
        target: { type: operation.kind.split('.', 1)[0] ?? '', id },
        details: { operationId: operation.id, applicationId: operation.applicationId },
      });
    });
  }
}
