import { ValidateBy } from 'class-validator';

/** Each id of `id:value,id:value` occurs once. A second value under an id would silently replace the first. */
export const HasDistinctIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasDistinctIds',
    validator: {
      validate(value: unknown) {
        const ids = String(value)
          .split(',')
          .map((entry) => entry.split(':')[0]);
        return new Set(ids).size === ids.length;
      },
      defaultMessage: () => 'must not have two values under one id; give a new value a new id',
    },
  });
