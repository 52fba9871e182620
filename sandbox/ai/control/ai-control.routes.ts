import { membersOf, oneOf, text } from '../../networks/kit/state/members.js';
import {
  ControlRequestIsInvalid,
  controlBody,
  controlError,
  controlRoute,
} from '../../wire/control-request.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { KEY_STATES, type KeyState } from '../provider/keys.js';
import type { AiProvider } from '../provider/provider.js';
import { AI_SETTINGS } from '../provider/settings.js';
import { modelDraft } from './model-members.js';

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
    controlRoute('POST', '/ai/:provider/models/remove', on(removeModel)),
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
function putKey({ keys, nature }: AiProvider, body: Readonly<Record<string, unknown>>): SandboxResponse {
  const checks = { key: text, state: oneOf(...KEY_STATES), label: text };
  const { key = nature.key, ...members } = membersOf<{ key: string; state: KeyState; label: string }>(
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

function removeModel({ models }: AiProvider, { id }: Readonly<Record<string, unknown>>): SandboxResponse {
  return models.remove(String(id)) ? json(200, { removed: id }) : controlError(404, 'No such model.');
}
