import type { ApiResponse } from './call.js';
import type { Documented } from './documented.js';
import type { Operation } from './operations.js';

/** Collects the faults of responses, so that one test reports all operations together. */
export class ResponseFaults {
  private found: string[] = [];

  constructor(private readonly documented: Documented) {}

  /** Calls each operation; the response must have one of these statuses and match the document. */
  async on(
    operations: readonly Operation[],
    statuses: readonly number[],
    asked: (operation: Operation) => Promise<ApiResponse>,
  ): Promise<void> {
    for (const operation of operations) this.judge(operation, statuses, await asked(operation));
  }

  /** The faults since the previous call. */
  taken(): string[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  /** Whether the response is documented and no internal error. */
  isFine(operation: Operation, answer: ApiResponse): void {
    this.judge(
      operation,
      operation.statuses.filter((status) => status < 500),
      answer,
    );
  }

  private judge({ name }: Operation, statuses: readonly number[], answer: ApiResponse): void {
    const said = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
    if (!statuses.includes(answer.status)) this.found.push(`wanted ${statuses.join(' or ')} from ${said}`);
    if (answer.status >= 400 && !isPage(answer))
      this.found.push(...faultsOfProblem(answer).map((fault) => `${fault} in ${said}`));
    try {
      this.documented.check(name, answer);
    } catch (error) {
      this.found.push(`${(error as Error).message} ${said}`);
    }
  }
}

/** Pages of a connect callback, where the document has them. */
const isPage = ({ headers }: ApiResponse) => headers.get('content-type')?.startsWith('text/html');

/** The required parts that a problem lacks. */
export function faultsOfProblem({ status, headers, body }: ApiResponse): string[] {
  const faults: [string, boolean][] = [
    ['no problem', headers.get('content-type') !== 'application/problem+json; charset=utf-8'],
    ['no stable code', !/^[a-z][a-z0-9_]+$/.test(String(body?.code))],
    ['another status', body?.status !== status],
    ['no request id', !body?.requestId || body.requestId !== headers.get('x-request-id')],
    ['no challenge', status === 401 && !headers.get('www-authenticate')?.startsWith('Bearer ')],
    ['no time to come back', [429, 503].includes(status) && !(Number(headers.get('retry-after')) > 0)],
  ];
  return faults.filter(([, isSo]) => isSo).map(([fault]) => fault);
}
