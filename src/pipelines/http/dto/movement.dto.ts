import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { MovementDetails } from '../../queries/list-movements.js';

export class NamedDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' })
  id!: string;

  @ApiProperty({ description: 'The current name.', example: 'Lead' })
  name!: string;
}

export class MovementActorDto {
  @ApiProperty({ enum: ['user', 'service', 'api_key', 'system'], example: 'user' })
  type!: string;

  @ApiProperty({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99' })
  id!: string;

  @ApiPropertyOptional({
    description: 'The name of a program; people have an id only.',
    example: 'Import robot',
  })
  name?: string;
}

export class MovementDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' })
  id!: string;

  @ApiProperty({ type: () => NamedDto })
  pipeline!: NamedDto;

  @ApiProperty({
    description: 'The previous stage; null when the contact entered the pipeline.',
    type: () => NamedDto,
    nullable: true,
  })
  from!: NamedDto | null;

  @ApiProperty({ type: () => NamedDto })
  to!: NamedDto;

  @ApiProperty({ type: () => MovementActorDto })
  actor!: MovementActorDto;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  at!: string;

  @ApiProperty({
    description: 'The note of the move; null without one.',
    type: 'string',
    nullable: true,
    example: 'Signed after the second call.',
  })
  note!: string | null;

  @ApiProperty({
    description: 'Whole seconds in the previous stage; null when the contact entered the pipeline.',
    type: 'integer',
    nullable: true,
    example: 86_400,
  })
  secondsInPreviousStage!: number | null;

  static of(movement: MovementDetails): MovementDto {
    const { id, pipeline, from, to, at, note, secondsInPreviousStage } = movement;
    const { type, id: actorId, name } = movement.actor;
    const actor = { type, id: actorId, ...(name === undefined ? {} : { name }) };
    return { id, pipeline, from, to, actor, at, note, secondsInPreviousStage };
  }
}
