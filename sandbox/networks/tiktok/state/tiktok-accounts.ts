import { randomBytes } from 'node:crypto';
import type { AccountRules, SandboxAccount } from '../../kit/state/accounts.js';

/** Its id is the `open_id`. */
export interface TikTokAccount extends SandboxAccount {
  /** Followers are accepted one by one, and no post is public. */
  readonly isPrivate: boolean;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  readonly maxVideoSeconds: number;
}

export const USERNAME = /^[A-Za-z0-9_.]{2,24}$/;
export const USERNAME_IN_WORDS = '2 to 24 letters, digits, underscores or dots';

export const TIKTOK_ACCOUNTS: AccountRules<TikTokAccount> = {
  kind: 'tiktok.account',
  newId: () => `-000${randomBytes(24).toString('base64url')}`,
  defaults: {
    isPrivate: false,
    commentDisabled: false,
    duetDisabled: false,
    stitchDisabled: false,
    maxVideoSeconds: 600,
  },
  demo: [
    { username: 'northwind.coffee', name: 'Northwind Coffee', description: 'Latte art, mostly.' },
    { username: 'harborbooks', name: 'Harbor Books', description: 'Shelf tours.', duetDisabled: true },
    {
      username: 'lumen.private',
      name: 'Lumen Studio (private)',
      description: 'For people we know.',
      isPrivate: true,
      maxVideoSeconds: 180,
    },
  ],
};

/** `privacy_level_options`: a private account offers its followers instead of everyone. */
export const levelsOf = ({ isPrivate }: TikTokAccount): readonly string[] => [
  isPrivate ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'SELF_ONLY',
];
