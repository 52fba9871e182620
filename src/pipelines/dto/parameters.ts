import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** What cannot be an id names nothing: as for one that does not exist. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** An id among the parameters of a list, which is never refused for them. */
export const IdFilter = (): PropertyDecorator =>
  applyDecorators(
    Transform(
      ({ value }: { value: unknown }) => {
        if (value === undefined || value === '') return undefined;
        return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : NOTHING;
      },
      { toClassOnly: true },
    ),
    Allow(),
  );

/** An id in a body, put into lower case, which ids are compared in. */
export const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
