import { NAME } from '#libs/http';
import { OPERATOR } from '../audit/gateway-audit.js';
import type { CredentialDto } from './credential.dto.js';
import { type CredentialsStore, MAX_POSITION } from './credentials.store.js';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from './providers.js';
import { type AcceptedSecret, acceptSecret, SecretIsNotValid } from './secrets.js';

/** A command line. Ids are UUIDs in lower case. */
export interface CommandInput {
  readonly verb: string;
  readonly id?: string;
  readonly organization?: string;
  readonly provider?: string;
  readonly label?: string;
  readonly project?: string;
  readonly position?: number;
  readonly usage: string;
}

export class CommandIsRefused extends Error {}

type ReadSecret = () => Promise<string>;

const LISTED = 1_000;

/** @returns lines to print, without secrets @throws CommandIsRefused, CredentialNotFound, TooManyCredentials */
export async function runCommand(
  store: CredentialsStore,
  input: CommandInput,
  readSecret: ReadSecret,
): Promise<readonly string[]> {
  switch (input.verb) {
    case 'list': {
      const rows = await store.list(input.organization ?? null, null, null, LISTED);
      return rows.length > 0 ? rows.map(lineOf) : ['There are none.'];
    }
    case 'add':
      return [`Added ${lineOf(await add(store, input, readSecret))}`];
    case 'rotate':
      return [`Rotated ${lineOf(await rotate(store, input, readSecret))}`];
    case 'enable':
    case 'disable': {
      const enabled = input.verb === 'enable';
      return [lineOf(await store.change({ id: idIn(input), actor: OPERATOR }, { enabled }))];
    }
    case 'delete':
      await store.remove({ id: idIn(input), actor: OPERATOR });
      return [`Deleted ${idIn(input)}.`];
    default:
      throw new CommandIsRefused(input.usage);
  }
}

async function add(
  store: CredentialsStore,
  input: CommandInput,
  readSecret: ReadSecret,
): Promise<CredentialDto> {
  const { label = '', project, position, organization = null, usage } = input;
  const provider = CREDENTIAL_PROVIDERS.find((one) => one === input.provider);
  if (!provider)
    throw new CommandIsRefused(`--provider must be ${CREDENTIAL_PROVIDERS.join(', ')}.\n${usage}`);
  if (!NAME.test(label)) throw new CommandIsRefused(`--label must be 1 to 120 visible characters.\n${usage}`);
  if ((provider === 'youtube') !== (project !== undefined))
    throw new CommandIsRefused(`--project is needed for youtube, and only there.\n${usage}`);
  if (provider === 'youtube' && organization !== null)
    throw new CommandIsRefused(
      `--organization must be left out for youtube: its quota is the platform's.\n${usage}`,
    );
  if (position !== undefined && !(Number.isInteger(position) && position >= 1 && position <= MAX_POSITION))
    throw new CommandIsRefused(`--position must be 1 to ${MAX_POSITION}.\n${usage}`);
  const secret = await secretFor(provider, organization !== null, readSecret);
  return store.add({ provider, organizationId: organization, label, project, position, secret }, OPERATOR);
}

async function rotate(
  store: CredentialsStore,
  input: CommandInput,
  readSecret: ReadSecret,
): Promise<CredentialDto> {
  const { id, provider, organizationId } = await store.find(idIn(input));
  const secret = await secretFor(provider, organizationId !== null, readSecret);
  return store.rotate({ id, actor: OPERATOR }, secret);
}

async function secretFor(
  provider: CredentialProvider,
  isOwn: boolean,
  readSecret: ReadSecret,
): Promise<AcceptedSecret> {
  const text = provider === 'youtube' ? '' : (await readSecret()).trim();
  try {
    return acceptSecret(provider, text.startsWith('{') ? JSON.parse(text) : text, isOwn);
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandIsRefused('The secret on stdin is not valid JSON.');
    if (!(error instanceof SecretIsNotValid)) throw error;
    throw new CommandIsRefused(`The secret on stdin${error.member} ${error.detail}.`);
  }
}

function idIn({ id, usage }: CommandInput): string {
  if (id === undefined) throw new CommandIsRefused(`--id is needed.\n${usage}`);
  return id;
}

function lineOf(row: CredentialDto): string {
  const state = [
    ...(row.enabled ? [] : ['disabled']),
    ...(row.heldBack === null ? [] : [`held back: ${row.heldBack}`]),
    ...(row.failingSince ? ['not accepted by the provider'] : []),
  ];
  const { id, provider, position, label, hint } = row;
  return [id, provider, position, label, hint && `…${hint}`, ...state]
    .filter((part) => part !== '')
    .join('  ');
}
