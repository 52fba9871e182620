import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsEmail, Matches, MaxLength } from 'class-validator';

/** NFKC, so that full-width characters are not another address. Apply it before the validation of the address, never after. */
export function normalisedEmail(email: string): string {
  return email.normalize('NFKC').trim();
}

/** No character that renders as nothing or as space: addresses that differ in these look the same (UTS 39, section 3). */
const VISIBLE_ONLY = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The address of an account, normalised; at most 254 characters. */
export const IsAccountEmail = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? normalisedEmail(value) : value,
    ),
    Matches(VISIBLE_ONLY, { message: 'must contain no spaces or invisible characters' }),
    IsEmail(),
    MaxLength(254),
  );
