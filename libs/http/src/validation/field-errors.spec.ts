import type { ValidationError } from 'class-validator';
import { fieldErrors, inBody, inQuery, MAX_ERRORS } from './field-errors.js';

const unknown = (property: string): ValidationError => ({
  property,
  value: 1,
  constraints: { whitelistValidation: `property ${property} should not exist` },
});

describe('the errors of fields', () => {
  it('are the first of many, of which none is longer than its names may be', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => unknown(`${at}${'x'.repeat(5_000)}`));
    const errors = fieldErrors([{ property: 'y'.repeat(5_000), value: list, children: list }], inBody);
    expect(errors).toHaveLength(MAX_ERRORS);
    expect(errors[0]).toEqual({
      pointer: `#/${'y'.repeat(100)}%E2%80%A6/0${'x'.repeat(99)}%E2%80%A6`,
      code: 'unknown_field',
      detail: 'is not a field of this request',
    });
  });

  it('name the wrong type before what follows from it', () => {
    const constraints = {
      maxLength: 'a must be shorter',
      matches: 'a must match',
      isString: 'a must be a string',
    };
    const errors = fieldErrors([{ property: 'a', value: 1, constraints }], inBody);
    expect(errors.map(({ code }) => code)).toEqual(['not_string', 'too_long', 'matches']);
  });

  it('never cut a name within a character', () => {
    const name = `${'x'.repeat(99)}\u{1f600}`;
    expect(inBody([name])).toEqual({ pointer: `#/${'x'.repeat(99)}%EF%BF%BD%E2%80%A6` });
    expect(inQuery([name])).toEqual({ parameter: `${'x'.repeat(99)}\ufffd…` });
  });
});
