import type { PrepareResponse } from '../domain/provider-publishing.js';

type Calls = Readonly<Record<string, readonly string[]>>;

type StepOf<C extends Calls> = {
  [Call in keyof C & string]: { readonly call: Call } & { readonly [Name in C[Call][number]]: number };
}[keyof C & string];

/** The steps of an upload as they are stored: the call, then its numbers, such as `append/0/3/1048576`. */
export function stepsOf<const C extends Calls>(calls: C) {
  type Step = StepOf<C>;
  const stepName = (step: Step): string => {
    const numbers: Readonly<Record<string, unknown>> = step;
    return [step.call, ...(calls[step.call] ?? []).map((name) => numbers[name])].join('/');
  };
  return {
    stepName,
    /** @param otherwise for a step that this release does not know */
    stepIn(stored: string, otherwise: Step): Step {
      const [call = '', ...numbers] = stored.split('/');
      const names = Object.hasOwn(calls, call) ? calls[call] : undefined;
      if (names?.length !== numbers.length || !numbers.every((number) => /^\d{1,15}$/.test(number)))
        return otherwise;
      return { call, ...Object.fromEntries(names.map((name, at) => [name, Number(numbers[at])])) } as Step;
    },
    next: (step: Step): PrepareResponse & { kind: 'next' } => ({ kind: 'next', step: stepName(step) }),
    wait: (step: Step, milliseconds: number): PrepareResponse & { kind: 'wait' } => ({
      kind: 'wait',
      step: stepName(step),
      milliseconds,
    }),
  };
}
