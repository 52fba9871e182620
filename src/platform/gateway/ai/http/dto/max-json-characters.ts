import { ValidateBy } from 'class-validator';

/** Of a value written as JSON without spaces, in UTF-16 code units. The depth and number of values are bounded for all bodies. */
export const MaxJsonCharacters = (limit: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxLength',
    validator: {
      validate: (value: unknown) => ((JSON.stringify(value) as string | undefined) ?? '').length <= limit,
      defaultMessage: () => `must have at most ${limit} characters as JSON`,
    },
  });
