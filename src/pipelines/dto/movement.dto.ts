import { is, shape } from '#libs/http';

export class NamedDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' }),
  name: is.text({ description: 'The current name.', example: 'Lead' }),
}) {}

export class MovementActorDto extends shape({
  type: is.text({ enum: ['user', 'service', 'api_key', 'system'], example: 'user' }),
  id: is.text({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99' }),
  name: is.text({ description: 'The name of a program; people have an id only.', example: 'Import robot' })
    .optional,
}) {}

export class MovementDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' }),
  pipeline: is.object(() => NamedDto),
  from: is.object(() => NamedDto, {
    description: 'The previous stage; null when the contact entered the pipeline.',
  }).orNull,
  to: is.object(() => NamedDto),
  actor: is.object(() => MovementActorDto),
  at: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  note: is.text({
    description: 'The note of the move; null without one.',
    example: 'Signed after the second call.',
  }).orNull,
  secondsInPreviousStage: is.integer({
    description: 'Whole seconds in the previous stage; null when the contact entered the pipeline.',
    example: 86_400,
  }).orNull,
}) {}
