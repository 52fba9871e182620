import { fillBrand } from './fill-brand.js';
import { fillContacts } from './fill-contacts.js';
import { Member, type Membership } from './member.js';

/**
 * A member of an organization with that many posts, events, files and contacts.
 * @param followed resolves when no transaction is left that began before: until then VACUUM shows rows to no index alone
 */
export async function grownMember(
  of: Membership,
  rows: number,
  followed: () => Promise<void>,
): Promise<Member> {
  const member = new Member(of);
  const board = (await member.ask('GET', '/api/pipeline')).data[0];
  await followed();
  await fillBrand(of.database, of.brandId, rows);
  await fillContacts(of.database, of.organizationId, rows, board);
  await followed();
  await of.database.query('VACUUM posts.post_view, media.file, contacts.contact, pipelines.card_view');
  return member;
}
