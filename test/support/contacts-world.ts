import { randomUUID } from 'node:crypto';
import type { BusinessApi } from './business-api.js';
import type { ApiResponse, Call } from './call.js';

/** A person of an organization of their own, and their way to its contacts. */
export class ContactsWorld {
  readonly organizationId = randomUUID() as string;
  readonly call: Call;

  constructor(private readonly api: BusinessApi) {
    this.call = this.as('member');
  }

  /** @param scopes default: all */
  as(role: string, scopes?: readonly string[]): Call {
    const organizations = [{ id: this.organizationId, role, scopes }];
    return this.api.as(this.api.identity.user({ organizations }));
  }

  async contact(fields: object = { name: 'Ada Lovelace' }): Promise<ApiResponse['body']> {
    const answer = await this.call('POST', '/api/contacts', fields);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  }

  /** Names of what a search finds, in its order. */
  async found(q: string, more = ''): Promise<string[]> {
    const answer = await this.call('GET', `/api/contacts?q=${encodeURIComponent(q)}${more}`);
    expect(answer.status).toBe(200);
    return answer.body.data.map(({ name, email }: { name: string; email: string }) => name ?? email);
  }

  /** What the log says of a stream, oldest first. */
  events(stream: string): Promise<{ type: string; data: object; metadata: object }[]> {
    return this.api.test.database.query(
      'SELECT type, data, metadata FROM events.event WHERE stream = $1 ORDER BY version',
      [stream],
    );
  }
}
