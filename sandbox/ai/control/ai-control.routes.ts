import {
  count,
  flag,
  listOf,
  type MemberChecks,
  membersOf,
  nullableText,
  oneOf,
  text,
} from '../../networks/kit/state/members.js';
import type { Call } from '../../wire/call.js';
import {
  controlBody,
  controlError,
  ControlRequestIsInvalid,
  controlRoute,
} from '../../wire/control-request.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { KEY_STATES, type KeyState } from '../provider/keys.js';
import { ABILITIES, type AiModel, type ModelDraft } from '../provider/models.js';
import { AI_SETTINGS, type AiProvider } from '../provider/provider.js';

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
const MAX_TOKENS = 10_000_000;

const CHECKS: MemberChecks<AiModel> = {
  id: text,
  name: text,
  abilities: listOf(oneOf(...ABILITIES)),
  contextWindow: count(MAX_TOKENS, 1),
  maxOutputTokens: count(MAX_TOKENS, 1),
  releasedAt: (value, name) => {
    if (typeof value !== 'string' || !DATE.test(value))
      throw new ControlRequestIsInvalid(`${name} is a date.`);
  },
  retiresAt: nullableText(DATE, 'a date, such as 2026-12-01'),
  snapshot: nullableText(/^\S{1,200}$/, 'a name'),
  reasons: flag,
  takesTemperature: flag,
  toolsNeedNoReasoning: flag,
  audioUnit: oneOf('tokens', 'seconds'),
};

function modelDraft(body: Readonly<Record<string, unknown>>): ModelDraft {
  const { id, ...members } = membersOf(CHECKS, body, 'a member of a model');
  if (id === undefined || !/^\S{1,200}$/.test(id))
    throw new ControlRequestIsInvalid('id is the name of a model.');
  return { id, ...members };
}

/** Control routes of one provider: `/_sandbox/ai/{provider}/…`. */
export function providerControlRoutes(providers: readonly AiProvider[]): Route[] {
  const on =
    (handle: (provider: AiProvider, body: Readonly<Record<string, unknown>>) => SandboxResponse) =>
    (call: Call): SandboxResponse => {
      const provider = providers.find(({ network }) => network === call.params.provider);
      if (!provider) return controlError(404, 'No such provider.');
      return handle(provider, call.route.startsWith('GET') ? {} : controlBody(call));
    };
  return [
    controlRoute(
      'GET',
      '/ai/:provider',
      on((provider) => json(200, providerView(provider))),
    ),
    controlRoute('PUT', '/ai/:provider/settings', on(changeSettings)),
    controlRoute('PUT', '/ai/:provider/keys', on(putKey)),
    controlRoute('PUT', '/ai/:provider/models', on(putModel)),
  ];
}

export const providerView = (provider: AiProvider): Record<string, unknown> => ({
  provider: provider.network,
  keys: [...provider.keys.all],
  models: provider.models.all,
  settings: provider.settings,
});

function changeSettings(provider: AiProvider, body: Readonly<Record<string, unknown>>): SandboxResponse {
  const changed = membersOf(AI_SETTINGS, body, 'a setting of an AI provider');
  provider.settings = { ...provider.settings, ...changed };
  return json(200, provider.settings);
}

/** `{"key": "sk-…", "state": "out-of-money"}`: adds a key or changes its state. Without `key`, the registered one. */
function putKey(
  { keys, key: registered }: AiProvider,
  body: Readonly<Record<string, unknown>>,
): SandboxResponse {
  const checks = { key: text, state: oneOf(...KEY_STATES), label: text };
  const { key = registered, ...members } = membersOf<{ key: string; state: KeyState; label: string }>(
    checks,
    body,
    'a member of a key',
  );
  if (!/^[\x21-\x7e]{1,500}$/.test(key))
    throw new ControlRequestIsInvalid('key is printable ASCII without blanks.');
  return json(200, keys.put(key, members));
}

const putModel = ({ models }: AiProvider, body: Readonly<Record<string, unknown>>): SandboxResponse =>
  json(200, models.put(modelDraft(body)));
