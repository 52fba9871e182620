import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * In Unicode characters, as `maxLength` of JSON Schema counts, for requests and for cells of files. A character has at most
 * two UTF-16 units, so a longer text is not counted.
 */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** The rule of class-validator counts a coloured heart, which is two characters, as one. */
export function MaxCharacters(limit: number, options?: ValidationOptions): PropertyDecorator {
  const message = (each: string) => `${each}$property must be shorter than or equal to ${limit} characters`;
  return ValidateBy(
    {
      name: 'maxLength',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !isLonger(value, limit),
        defaultMessage: buildMessage(message, options),
      },
    },
    options,
  );
}
