import { ApiProperty } from '@nestjs/swagger';
import type { SafeAction } from '../../domain/safe-actions.js';

export class RequirementsDto {
  @ApiProperty({
    description: 'Scopes the caller needs, all of them.',
    type: [String],
    example: ['posts.write'],
  })
  scopes!: readonly string[];

  @ApiProperty({
    description: 'Members the body must have. None: it works without a body.',
    type: [String],
    example: [],
  })
  body!: readonly string[];
}

/** An allowed action on the current version of the item, as a complete request. */
export class SafeActionDto implements SafeAction {
  @ApiProperty({ enum: ['edit', 'approve', 'reject', 'reschedule', 'retry', 'resolve'], example: 'approve' })
  action!: string;

  @ApiProperty({ enum: ['PATCH', 'POST'], example: 'POST' })
  method!: 'PATCH' | 'POST';

  @ApiProperty({ example: '/api/content-ops/items/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11/approve' })
  path!: string;

  @ApiProperty({ description: 'The version it applies to.', type: 'integer', example: 3 })
  version!: number;

  @ApiProperty({
    description: 'Send as If-Match: the action is refused (412) once the item has changed.',
    example: '"v3"',
  })
  ifMatch!: string;

  @ApiProperty({ type: () => RequirementsDto })
  requires!: RequirementsDto;
}
