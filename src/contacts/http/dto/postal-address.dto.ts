import type { PostalAddress } from '../../domain/contact-details.js';
import { Text } from '#libs/http';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';

const MAX = CONTACT_FIELDS.addresses.max;

export class PostalAddressDto implements Partial<PostalAddress> {
  @Text(MAX, { description: 'Purpose.', example: 'Office' })
  label: string | null = null;

  @Text(MAX, {
    description: 'Street and number; the whole address if its parts are unknown.',
    example: 'Dlouhá 12',
  })
  street: string | null = null;

  @Text(MAX, { example: 'Prague' })
  city: string | null = null;

  @Text(MAX, { example: null })
  region: string | null = null;

  @Text(MAX, { example: '110 00' })
  postalCode: string | null = null;

  @Text(MAX, { example: 'Czechia' })
  country: string | null = null;
}
