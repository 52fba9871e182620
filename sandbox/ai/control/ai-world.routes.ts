import { spoken, tone } from '../audio/tones.js';
import { type Sound, writeWav } from '../audio/wav.js';
import {
  ControlRequestIsInvalid,
  controlBody,
  controlError,
  controlRoute,
} from '../../wire/control-request.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { AI_FAULTS, parseAiFault } from '../provider/ai-fault.js';
import type { SwitchedAiFault } from '../provider/ai-faults.js';
import { totalOf } from '../provider/bill.js';
import type { AiProvider, AiWorld } from '../provider/provider.js';
import { providerView } from './ai-control.routes.js';

/** Control routes of all AI providers together: `/_sandbox/ai/…`. */
export function aiWorldRoutes(world: AiWorld, providers: readonly AiProvider[]): Route[] {
  return [
    controlRoute('GET', '/ai', () => json(200, { providers: providers.map(providerView) })),
    controlRoute('GET', '/ai/bill', (call) => bill(world, call)),
    controlRoute('GET', '/ai/audio', audio),
    controlRoute('GET', '/ai/pictures', () => json(200, { data: world.gallery.all })),
    controlRoute('GET', '/ai/pictures/:id', (call) => picture(world, call)),
    ...aiFaultRoutes(world, providers),
  ];
}

function aiFaultRoutes({ faults }: AiWorld, providers: readonly AiProvider[]): Route[] {
  const names = providers.map(({ network }) => network);
  return [
    controlRoute('GET', '/ai/faults', () => json(200, { data: faults.list().map(view), kinds: AI_FAULTS })),
    controlRoute('POST', '/ai/faults', (call) =>
      json(201, view(faults.add(parseAiFault(controlBody(call), names)))),
    ),
    controlRoute('DELETE', '/ai/faults', () => {
      faults.clear();
      return json(200, { data: [] });
    }),
    controlRoute('DELETE', '/ai/faults/:id', (call) =>
      faults.remove(Number(call.params.id))
        ? json(200, { removed: true })
        : controlError(404, 'No such fault.'),
    ),
  ];
}

const view = ({ id, hits, fault }: SwitchedAiFault): Record<string, unknown> => ({ id, hits, ...fault });

const MAX_LINES = 10_000;

/** Filters: provider, model, key, ability, after (a sequence number); limit of the lines. The sum is of all. */
function bill(world: AiWorld, { query }: Call): SandboxResponse {
  const filter: Record<string, string | number> = {};
  for (const name of ['provider', 'model', 'key', 'ability']) {
    const value = query.get(name);
    if (value !== null) filter[name] = value;
  }
  if (query.has('after')) filter.after = Number(query.get('after'));
  const data = world.bill.matching(filter);
  const limit = Math.min(Number(query.get('limit') ?? 1_000), MAX_LINES);
  const sums = { calls: data.length, total: totalOf(data), forgotten: world.bill.forgotten };
  return json(200, { data: data.slice(0, limit), ...sums });
}

function picture({ gallery }: AiWorld, { params }: Call): SandboxResponse {
  const found = gallery.find(params.id ?? '');
  if (!found) return controlError(404, 'No such picture.');
  const { path, bytes, format } = found;
  const headers = { 'content-type': `image/${format}`, 'cache-control': 'max-age=3600' };
  return { status: 200, headers, body: '', file: { path, start: 0, end: bytes - 1 } };
}

const MAX_SECONDS = 600;

/** `?text=good+morning` says words; `?hz=440&seconds=2` is one tone. */
function audio({ query }: Call): SandboxResponse {
  const sound = soundOf(query);
  return {
    status: 200,
    headers: { 'content-type': 'audio/wav' },
    body: '',
    stream: {
      async *parts() {
        yield await Promise.resolve(writeWav(sound));
      },
    },
  };
}

function soundOf(query: URLSearchParams): Sound {
  const words = query.get('text');
  if (words !== null) {
    const sound = spoken(words);
    if (!sound) throw new ControlRequestIsInvalid('text has a word without a tone. See sandbox/README.md.');
    return sound;
  }
  const [hertz, seconds] = [Number(query.get('hz') ?? 440), Number(query.get('seconds') ?? 1)];
  if (!(hertz >= 20 && hertz <= 8_000 && seconds >= 0 && seconds <= MAX_SECONDS))
    throw new ControlRequestIsInvalid(`hz is 20 to 8000, seconds 0 to ${MAX_SECONDS}.`);
  return tone(hertz, seconds);
}
