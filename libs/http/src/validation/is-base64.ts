import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

const FOREIGN = /[^A-Za-z0-9+/]/;

/**
 * Standard alphabet with padding, RFC 4648 section 4. It looks for one character that does not belong: an expression that repeats
 * over the whole text exceeds the stack of V8 from a few MB on, once a process has compiled many expressions.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return !FOREIGN.test(text.slice(0, text.length - padding));
}

/** As the rule of class-validator, for texts of any length. */
export function IsBase64(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isBase64',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isBase64(value),
        defaultMessage: buildMessage((each) => `${each}$property must be base64 encoded`, options),
      },
    },
    options,
  );
}
