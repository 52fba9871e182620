import type { AccountRules, NewAccount, SandboxAccount } from '../../kit/state/accounts.js';

export interface XAccount extends SandboxAccount {
  readonly verified: boolean;
  readonly verifiedType: 'blue' | 'business' | 'government' | 'none';
  /** Subscribers may write 25 000 characters instead of 280. */
  readonly subscriptionType: 'Basic' | 'Premium' | 'PremiumPlus' | 'None';
}

export const SUBSCRIPTIONS: readonly XAccount['subscriptionType'][] = [
  'None',
  'Basic',
  'Premium',
  'PremiumPlus',
];

/** X's own rule for handles. */
export const USERNAME = /^[A-Za-z0-9_]{1,15}$/;
export const USERNAME_IN_WORDS = '1 to 15 letters, digits or underscores';

const DEMO: readonly NewAccount<XAccount>[] = [
  { username: 'northwind', name: 'Northwind Coffee', description: 'Roasted on Tuesdays. Gone by Friday.' },
  { username: 'harborbooks', name: 'Harbor Books', description: 'An independent bookshop by the water.' },
  {
    username: 'lumenstudio',
    name: 'Lumen Studio',
    description: 'Light, set and camera.',
    verified: true,
    verifiedType: 'blue',
    subscriptionType: 'Premium',
  },
];

export const X_ACCOUNTS: Pick<AccountRules<XAccount>, 'kind' | 'defaults' | 'demo'> = {
  kind: 'x.account',
  defaults: { verified: false, verifiedType: 'none', subscriptionType: 'None' },
  demo: DEMO,
};
