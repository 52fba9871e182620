import type { AccountRules, NewAccount, SandboxAccount } from '../../kit/state/accounts.js';

/** A member, or an organization with the members who have a role in it. */
export interface LinkedInAccount extends SandboxAccount {
  readonly kind: 'member' | 'organization';
  /** Of an organization: `username ROLE` or `username ROLE STATE`; the state is APPROVED when it is left out. */
  readonly roles: readonly string[];
}

export interface Role {
  readonly member: string;
  readonly role: string;
  readonly state: string;
}

/** Roles whose members may post for the organization. */
export const POSTING_ROLES: readonly string[] = [
  'ADMINISTRATOR',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
];

export const USERNAME = /^[A-Za-z0-9-]{3,60}$/;
export const USERNAME_IN_WORDS = '3 to 60 letters, digits or hyphens';

export const rolesOf = ({ roles }: LinkedInAccount): Role[] =>
  roles.map((text) => {
    const [member = '', role = '', state = 'APPROVED'] = text.split(' ');
    return { member, role, state };
  });

/** Whether the member may post for the organization. */
export const mayPost = (organization: LinkedInAccount, { username }: LinkedInAccount): boolean =>
  rolesOf(organization).some(
    ({ member, role, state }) => member === username && state === 'APPROVED' && POSTING_ROLES.includes(role),
  );

export const urnOf = ({ id, kind }: LinkedInAccount): string =>
  `urn:li:${kind === 'member' ? 'person' : 'organization'}:${id}`;

const DEMO: readonly NewAccount<LinkedInAccount>[] = [
  { username: 'mara-lindt', name: 'Mara Lindt', description: 'Marketing at Northwind Coffee.' },
  {
    username: 'jonas-weber',
    name: 'Jonas Weber',
    description: 'Runs Lumen Studio, writes for Harbor Books.',
  },
  {
    username: 'northwind-coffee',
    name: 'Northwind Coffee',
    description: 'Coffee roasters.',
    kind: 'organization',
    roles: ['mara-lindt ADMINISTRATOR', 'jonas-weber ADMINISTRATOR REQUESTED'],
  },
  {
    username: 'harbor-books',
    name: 'Harbor Books',
    description: 'Bookshop.',
    kind: 'organization',
    roles: ['mara-lindt ANALYST', 'jonas-weber CONTENT_ADMINISTRATOR'],
  },
  {
    username: 'lumen-studio',
    name: 'Lumen Studio',
    description: 'Film and photography.',
    kind: 'organization',
    roles: ['jonas-weber ADMINISTRATOR'],
  },
];

export const LINKEDIN_ACCOUNTS: Pick<AccountRules<LinkedInAccount>, 'kind' | 'defaults' | 'demo'> = {
  kind: 'linkedin.account',
  defaults: { kind: 'member', roles: [] },
  demo: DEMO,
};
