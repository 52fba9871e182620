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

/** Not in the catalog, retired, or without the capability. */
export class ModelIsNotFound extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'model_not_found';
  override readonly isFinal = false;

  constructor(model: string) {
    super(`The model ${model} is unknown, retired or has another capability. Look at GET /api/models.`, {
      members: { model },
    });
  }
}
