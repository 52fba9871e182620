import { DomainError, domainError } from '#libs/errors';

export class ModelIsNotAllowed extends domainError('forbidden', 'model_not_allowed', (model: string) => ({
  detail: `The organization does not allow the model ${model}. Name an allowed one, or leave it out for the default.`,
  members: { model },
})) {}

export class ModelOverrideIsNotPermitted extends domainError(
  'forbidden',
  'model_override_not_permitted',
  'The caller may not choose another model than the default. Leave the model out.',
) {}

export class NoModelIsConfigured extends domainError(
  'unprocessable',
  'no_model_configured',
  (capability: string) => ({
    detail: `Neither the organization nor the platform has a default model for ${capability}. Set a preference or name a model.`,
    isFinal: false,
  }),
) {}

export class ModelIsNotFound extends DomainError {
  readonly kind = 'unprocessable';
  readonly code: string = 'model_not_found';
  override readonly isFinal = false;

  constructor(
    model: string,
    message = `The model ${model} is unknown or has another capability. Look at GET /api/models.`,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message, { members: { model, ...members } });
  }
}

export class ModelIsRetired extends ModelIsNotFound {
  override readonly code = 'model_retired';

  /** @param retiresAt the first day without it, `YYYY-MM-DD`; null: not known */
  constructor(model: string, retiresAt: string | null) {
    const on = retiresAt === null ? '' : ` on ${retiresAt}`;
    const message = `The provider retired the model ${model}${on}. Use another one of GET /api/models.`;
    super(model, message, { retiresAt });
  }
}
