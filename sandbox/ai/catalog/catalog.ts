import { hash } from 'node:crypto';
import { ControlRequestIsInvalid, controlBody, controlRoute } from '../../wire/control-request.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { isObject } from '../provider/problem.js';
import type { AiProvider } from '../provider/provider.js';
import { catalogDocument, type CatalogFacts } from './document.js';

const STATES = ['ok', 'failing', 'malformed', 'not-json', 'empty', 'stale'] as const;
type State = (typeof STATES)[number];

/** An open catalog of models: one document that anybody may fetch. */
export class ModelCatalog {
  private state: State = 'ok';
  private facts: Readonly<Record<string, CatalogFacts>> = {};
  /** What a stale catalog keeps showing. */
  private before: string | null = null;

  constructor(private readonly providers: readonly AiProvider[]) {}

  get site(): Site {
    const handle = (call: Call): SandboxResponse => this.answer(call);
    return {
      prefix: 'model-catalog',
      host: 'catalog',
      standsFor: 'an open catalog of models, in the format of models.dev',
      router: new Router([
        { method: 'GET', path: '/', handle },
        { method: 'GET', path: '/api.json', handle },
      ]),
      refuse: (status) => json(status, {}),
    };
  }

  /** `PUT /_sandbox/model-catalog {"state": …, "models": {"openai/gpt-5.4": {"cost": …}}}`. */
  get controlRoute(): Route {
    return controlRoute('PUT', '/model-catalog', (call) => {
      const { state = this.state, models = this.facts } = controlBody(call);
      if (!STATES.includes(state as State))
        throw new ControlRequestIsInvalid(`state is one of ${STATES.join(', ')}.`);
      if (!isObject(models))
        throw new ControlRequestIsInvalid('models is an object of models by provider/model.');
      this.before = state === 'stale' ? (this.before ?? this.text()) : null;
      this.state = state as State;
      this.facts = models as Record<string, CatalogFacts>;
      return json(200, { state, models });
    });
  }

  clear(): void {
    this.state = 'ok';
    this.facts = {};
    this.before = null;
  }

  private text(): string {
    return JSON.stringify(catalogDocument(this.providers, this.facts));
  }

  private answer({ headers }: Call): SandboxResponse {
    if (this.state === 'failing') return json(503, { error: 'Service Unavailable' });
    const body = this.bodyOf(this.state);
    const etag = `"${hash('sha256', body, 'hex').slice(0, 32)}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
    return withHeaders({ ...json(200, null), body }, { etag, 'cache-control': 'public, max-age=300' });
  }

  private bodyOf(state: State): string {
    switch (state) {
      case 'malformed':
        return JSON.stringify({ openai: { id: 'openai', models: [{ id: 7, cost: 'free' }] }, google: null });
      case 'not-json':
        return this.text().slice(0, 2_000);
      case 'empty':
        return '{}';
      default:
        return this.before ?? this.text();
    }
  }
}
