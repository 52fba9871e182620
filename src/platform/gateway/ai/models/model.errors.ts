import { DomainError } from '#libs/errors';

/** The allowed models of the organization or of the platform do not contain it. */
export class ModelIsNotAllowed extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'model_not_allowed';

  constructor(model: string) {
    super(
      `The organization does not allow the model ${model}. Name an allowed one, or leave it out for the default.`,
      { members: { model } },
    );
  }
}

export class ModelOverrideIsNotPermitted extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'model_override_not_permitted';

  constructor() {
    super('The caller may not choose another model than the default. Leave the model out.');
  }
}

export class NoModelIsConfigured extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_model_configured';
  override readonly isFinal = false;

  constructor(capability: string) {
    super(
      `Neither the organization nor the platform has a default model for ${capability}. Set a preference or name a model.`,
    );
  }
}

/** Not in the catalog, or without the capability. */
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

/** Its provider no longer serves it. */
export class ModelIsRetired extends ModelIsNotFound {
  override readonly code = 'model_retired';

  /** @param retiresAt the first day without it, `YYYY-MM-DD`; null: not known */
  constructor(model: string, retiresAt: string | null) {
    const on = retiresAt === null ? '' : ` on ${retiresAt}`;
    const message = `The provider retired the model ${model}${on}. Use another one of GET /api/models.`;
    super(model, message, { retiresAt });
  }
}
