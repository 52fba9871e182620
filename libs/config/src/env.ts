import 'reflect-metadata';

/** One variable of the environment. */
export interface Variable {
  readonly property: string;
  readonly name: string;
  /** What the variable is for, in one sentence; also the comment in .env.example. */
  readonly description: string;
  /** Text as in the environment. Without it, the validators decide whether the variable is required. */
  readonly default?: string;
}

const VARIABLES = Symbol('environment variables');

/** Binds a property of a config class to an environment variable. Conversion follows the property's type. */
export function Env(name: string, options: { description: string; default?: string }): PropertyDecorator {
  return (target, property) => {
    const known = variablesOf(target.constructor as ConfigClass<object>);
    const variable = { property: String(property), name, ...options };
    Reflect.defineMetadata(VARIABLES, [...known, variable], target.constructor);
  };
}

export type ConfigClass<T extends object> = new () => T;

export function variablesOf(config: ConfigClass<object>): readonly Variable[] {
  return (Reflect.getMetadata(VARIABLES, config) as Variable[] | undefined) ?? [];
}
