import assert from 'node:assert/strict';
import type { Instant } from '#libs/content';
import type { Aggregate } from '../aggregate.js';
import type { DomainEvent } from '../domain-event.js';

/** The time of all events in `given`; `at` changes it. */
export const GIVEN_AT: Instant = '2026-01-15T10:00:00.000Z';

type ErrorClass<T extends Error = Error> = abstract new (...parameters: never[]) => T;

/**
 * A rule as one expression: `given(aggregate, drafted).when(schedule(at, now)).then({ type: 'PostScheduled', data: { … } })`.
 * Compares events after a round trip through JSON, so a class and a plain object with the same fields are equal.
 */
export function given<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, ...events: readonly E[]) {
  return new Given(aggregate, events, GIVEN_AT);
}

class Given<State, E extends DomainEvent> {
  constructor(
    private readonly aggregate: Aggregate<State, E>,
    private readonly events: readonly E[],
    private readonly instant: Instant,
  ) {}

  /** Sets the time of the given events. */
  at(instant: Instant): Given<State, E> {
    return new Given(this.aggregate, this.events, instant);
  }

  get state(): State {
    return this.evolve(this.aggregate.initial, this.events);
  }

  when(decision: (state: State) => readonly E[]): When<State, E> {
    return new When(this.state, decision, (state, events) => this.evolve(state, events));
  }

  private evolve(from: State, events: readonly E[]): State {
    return events.reduce((state, event) => this.aggregate.evolve(state, asStored(event), this.instant), from);
  }
}

class When<State, E extends DomainEvent> {
  constructor(
    private readonly state: State,
    private readonly decision: (state: State) => readonly E[],
    private readonly evolve: (state: State, events: readonly E[]) => State,
  ) {}

  /** No events: the decision changes nothing. */
  then(...expected: readonly E[]): void {
    assert.deepStrictEqual(this.decision(this.state).map(asStored), expected.map(asStored));
  }

  /** @param expected members of the state after the decision */
  thenState(expected: Partial<State>): void {
    const state = this.evolve(this.state, this.decision(this.state)) as Record<string, unknown>;
    const seen = Object.fromEntries(Object.keys(expected).map((key) => [key, state[key]]));
    assert.deepStrictEqual(asStored(seen), asStored(expected));
  }

  /** @param check further fields of the error, such as `code` */
  thenThrows(error: ErrorClass, check: Readonly<Record<string, unknown>> = {}): void {
    assert.throws(
      () => this.decision(this.state),
      (thrown: unknown) => {
        assert.ok(thrown instanceof error, `expected ${error.name}, got ${String(thrown)}`);
        for (const [field, value] of Object.entries(check)) {
          assert.deepStrictEqual((thrown as unknown as Record<string, unknown>)[field], value);
        }
        return true;
      },
    );
  }
}

function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
