import { Injectable } from '@nestjs/common';
import type { CredentialProvider } from '../providers.js';

/**
 * What a check says of a credential.
 *
 * - `works`: the provider accepts it.
 * - `refused`: the provider does not accept it.
 * - `out_of_money`: the provider accepts it, and the account has no money or quota left.
 * - `unavailable`: the provider gave no answer about it.
 * - `not_checkable`: the provider has no call for a check.
 */
export const CHECK_OUTCOMES = ['works', 'refused', 'out_of_money', 'unavailable', 'not_checkable'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export interface CheckResult {
  readonly outcome: CheckOutcome;
  /** One sentence for an operator. Contains no secret. */
  readonly detail: string;
  readonly code: string | null;
  readonly status: number | null;
}

export interface CheckedCredential {
  readonly secret: string;
  /** null: the default of the platform. */
  readonly organizationId: string | null;
  /** Aborted when the time for the check is over. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** The cheapest call of a provider. Does not throw because of the provider. */
export type CredentialCheck = (credential: CheckedCredential) => Promise<CheckResult>;

/** How credentials of each provider are checked. Each area adds its providers when its module starts. */
@Injectable()
export class CredentialChecks {
  private readonly checks = new Map<CredentialProvider, CredentialCheck>();

  add(provider: CredentialProvider, check: CredentialCheck): void {
    this.checks.set(provider, check);
  }

  /** undefined: the provider has no call for a check. */
  of(provider: CredentialProvider): CredentialCheck | undefined {
    return this.checks.get(provider);
  }
}

const DETAILS: Readonly<Record<CheckOutcome, string>> = {
  works: 'The provider accepts the credential.',
  refused: 'The provider does not accept the credential. Replace its secret.',
  out_of_money: 'The account at the provider has no money or quota left. Add some, then check again.',
  unavailable: 'The provider gave no answer about the credential. Check again later.',
  not_checkable: 'The provider has no call that checks a credential.',
};

export const checkResult = (
  outcome: CheckOutcome,
  {
    code = null,
    status = null,
    detail = DETAILS[outcome],
  }: Partial<Pick<CheckResult, 'code' | 'status' | 'detail'>> = {},
): CheckResult => ({ outcome, detail, code, status });
