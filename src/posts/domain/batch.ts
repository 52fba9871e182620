import { DomainError, domainError, type FieldError } from '#libs/errors';

/** Why one entry of a batch is refused. */
interface Refusal {
  /** Position of the entry, from 0. */
  readonly index: number;
  /** With pointers into the entry, such as `#/text`. */
  readonly error: DomainError;
}

/** One refused entry refuses the batch, or its preflight: nothing is stored. Lists the errors of all entries, with pointers into the body. */
export class BatchIsRefused extends DomainError {
  /** 409 if nothing but time is needed, such as for files that are not ready yet; else 400. */
  readonly kind: 'invalid' | 'conflict';
  readonly code = 'batch_refused';

  constructor(refusals: readonly Refusal[], entries: number) {
    super(
      `${refusals.length} of ${entries} posts ${refusals.length === 1 ? 'is' : 'are'} refused, so nothing is stored. Correct the fields in errors, then send all of them again.`,
      { errors: refusals.flatMap(errorsOf) },
    );
    this.kind = refusals.every(({ error }) => error.kind === 'conflict') ? 'conflict' : 'invalid';
  }
}

function errorsOf({ index, error }: Refusal): FieldError[] {
  if (error.errors.length === 0)
    return [{ pointer: pointerInto(index), code: error.code, detail: error.message }];
  return error.errors.map(({ pointer = '#', ...rest }) => ({
    pointer: pointerInto(index, pointer),
    ...rest,
  }));
}

/** `#/text` of the third entry is `#/posts/2/text`; `#` is the entry. */
export const pointerInto = (index: number, pointer = '#'): string => `#/posts/${index}${pointer.slice(1)}`;

/** Two posts of a batch would go out by the same account. @param index of the post that names it first */
export class AccountIsNamedTwice extends domainError('invalid', 'account_named_twice', (index: number) => ({
  detail: 'Another post of the batch has the same account. Name another connection, or remove one of them.',
  errors: [
    {
      pointer: '#/target',
      code: 'account_named_twice',
      detail: `must be another account than that of ${pointerInto(index)}`,
    },
  ],
})) {}

/**
 * The results of all decisions, one for each entry of a batch. Runs every decision, so that the caller learns all refusals at once.
 * @throws BatchIsRefused if one of them refuses; any other error of a decision
 */
export function decideAll<Result>(decisions: readonly (() => Result)[]): Result[] {
  const refusals: Refusal[] = [];
  const results: Result[] = [];
  for (const [index, decide] of decisions.entries()) {
    try {
      results.push(decide());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push({ index, error });
    }
  }
  if (refusals.length > 0) throw new BatchIsRefused(refusals, decisions.length);
  return results;
}

/** Does the work now. @returns a function that returns its result or throws its error */
export function settled<Result>(work: () => Result): () => Result {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** For each key the index of the first equal key before it; null if there is none. */
export function duplicatesIn(keys: readonly string[]): (number | null)[] {
  const first = new Map<string, number>();
  return keys.map((key, index) => {
    const known = first.get(key);
    if (known === undefined) first.set(key, index);
    return known ?? null;
  });
}
