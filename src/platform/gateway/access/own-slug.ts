/** Slug of the provider gateway at identity; also the realm of its challenges. */
export const OWN_SLUG = 'provider-gateway';
