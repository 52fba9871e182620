import { ApiHeader } from '@nestjs/swagger';

export const IfMatchHeader = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    // No `example`, because Swagger UI would send it and get 412.
    description: 'The ETag of the resource that was read. 412 when it has changed since.',
    schema: { type: 'string' },
  });
