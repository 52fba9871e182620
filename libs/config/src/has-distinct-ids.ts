import { ValidateBy } from 'class-validator';

/** Of `id:value,id:value`: each id once. Of two values under one id, one would be lost, and what it had made with it. */
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
      defaultMessage: () => 'must not have two values under one id: a new value has a new id',
    },
  });
