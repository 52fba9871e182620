import { ApiHeader } from '@nestjs/swagger';

/** Without `example`, because Swagger UI would send it and get 412. */
export const IfMatchHeader = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The ETag of the preference that was read, such as `"v3"`. 412 when it has changed since.',
    schema: { type: 'string' },
  });
