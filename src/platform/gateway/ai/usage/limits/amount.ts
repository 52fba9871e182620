import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator';
import { WhenSentOrNull } from '#libs/http';
import { parseDollars } from '../spend/money.js';

/** Of a request. */
export const DOLLARS = '^\\d{1,9}(\\.\\d{1,9})?$';

/** An amount of money in a response. */
export const Dollars = (description: string, isNullable = false): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    pattern: '^-?\\d+(\\.\\d{1,9})?$',
    example: '0.00123',
    description: `${description} US dollars.`,
    ...(isNullable ? { nullable: true } : {}),
  });

/** @param least 1n: above 0 */
export const IsDollars =
  ({ least = 1n }: { least?: bigint } = {}): PropertyDecorator =>
  (target, propertyName) =>
    registerDecorator({
      name: 'isDollars',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (value: unknown) => typeof value === 'string' && (parseDollars(value) ?? -1n) >= least,
        defaultMessage: () =>
          `must be dollars${least > 0n ? ' above 0' : ''} as text, with up to nine digits before and after the point`,
      },
    });

/** An amount of a request: text, because numbers of JSON cannot hold it exactly. Null counts as sent. */
export const AskedDollars = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'string',
      pattern: DOLLARS,
      nullable: true,
      required: false,
      example: '250',
      description: `${description} US dollars above 0 with up to nine decimals.`,
    }),
    WhenSentOrNull(),
    IsDollars(),
  );
