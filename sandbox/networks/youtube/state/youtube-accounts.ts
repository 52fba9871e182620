import { randomBytes } from 'node:crypto';
import type { AccountRules, NewAccount, SandboxAccount } from '../../kit/state/accounts.js';

/** A Google account, with its channel if it has one. The id is that of the channel. */
export interface YoutubeAccount extends SandboxAccount {
  readonly hasChannel: boolean;
}

export const HANDLE = /^[A-Za-z0-9_.-]{3,30}$/;
export const HANDLE_IN_WORDS = '3 to 30 letters, digits, dots, hyphens or underscores';

const DEMO: readonly NewAccount<YoutubeAccount>[] = [
  { username: 'northwind', name: 'Northwind Coffee', description: 'Roasted on Tuesdays. Gone by Friday.' },
  { username: 'lumenstudio', name: 'Lumen Studio', description: 'Light, set and camera.' },
  { username: 'nochannel', name: 'A viewer', description: 'Only watches.', hasChannel: false },
];

/** `UC` and 22 characters, as channels of YouTube have. */
const newChannelId = (): string => `UC${randomBytes(17).toString('base64url').slice(0, 22)}`;

export const YOUTUBE_ACCOUNTS: AccountRules<YoutubeAccount> = {
  kind: 'youtube.account',
  newId: newChannelId,
  defaults: { hasChannel: true },
  demo: DEMO,
};
