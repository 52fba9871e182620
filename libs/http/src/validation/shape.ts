import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** A member of a response: its documentation, and its type. */
class Member<Value> {
  declare readonly value?: Value;

  constructor(readonly options: ApiPropertyOptions) {}

  get optional(): Member<Value | undefined> {
    return new Member({ ...this.options, required: false } as ApiPropertyOptions);
  }

  get orNull(): Member<Value | null> {
    return new Member({ ...this.options, nullable: true });
  }
}

type Members = Readonly<Record<string, Member<unknown>>>;
type ValueOf<Of> = Of extends Member<infer Value> ? Value : never;
type OptionalIn<Of extends Members> = {
  [Name in keyof Of]: undefined extends ValueOf<Of[Name]> ? Name : never;
}[keyof Of];
type ShapeOf<Of extends Members> = {
  readonly [Name in Exclude<keyof Of, OptionalIn<Of>>]: ValueOf<Of[Name]>;
} & { readonly [Name in OptionalIn<Of>]?: ValueOf<Of[Name]> };
/** The static members of the base, and instances with the members of both. */
type Shaped<Of extends Members, Base extends Type<object>> = Omit<Base, 'prototype'> &
  Type<InstanceType<Base> & ShapeOf<Of>>;

/** A class with these members after those of the base, each documented in OpenAPI. */
export function shape<Of extends Members, Base extends Type<object> = Type<object>>(
  members: Of,
  base = class {} as Base,
): Shaped<Of, Base> {
  class Shape extends (base as Type<object>) {}
  for (const [name, { options }] of Object.entries(members)) ApiProperty(options)(Shape.prototype, name);
  return Shape as unknown as Shaped<Of, Base>;
}

const member =
  <Value>(schema: object) =>
  (options: ApiPropertyOptions = {}) =>
    new Member<Value>({ ...options, ...schema });

/** What a member of a response is. */
export const is = {
  text: <Value extends string = string>(options?: ApiPropertyOptions) =>
    member<Value>({ type: 'string' })(options),
  uuid: member<string>({ type: 'string', format: 'uuid' }),
  /** RFC 3339. */
  instant: member<string>({ type: 'string', format: 'date-time' }),
  /** Its JSON is an instant. */
  date: member<Date>({ type: 'string', format: 'date-time' }),
  integer: member<number>({ type: 'integer' }),
  flag: <Value extends boolean = boolean>(options?: ApiPropertyOptions) =>
    member<Value>({ type: 'boolean' })(options),
  texts: member<readonly string[]>({ type: [String] }),
  // @nestjs/swagger calls only functions that are named `type`.
  object: <Value>(type: () => Type<Value>, options?: ApiPropertyOptions) =>
    member<Value>({ type: () => type() })(options),
  list: <Value>(type: () => Type<Value>, options?: ApiPropertyOptions) =>
    member<readonly Value[]>({ type: () => [type()] })(options),
  /** Anything else, by its schema. */
  of: <Value>(options: ApiPropertyOptions) => member<Value>({})(options),
};
