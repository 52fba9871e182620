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
import { ControlRequestIsInvalid } from '../../wire/control-request.js';
import { ABILITIES, type AiModel, type ModelDraft } from '../provider/models.js';

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

/** @throws ControlRequestIsInvalid */
export function modelDraft(body: Readonly<Record<string, unknown>>): ModelDraft {
  const { id, ...members } = membersOf(CHECKS, body, 'a member of a model');
  if (id === undefined || !/^\S{1,200}$/.test(id))
    throw new ControlRequestIsInvalid('id is the name of a model.');
  return { id, ...members };
}
