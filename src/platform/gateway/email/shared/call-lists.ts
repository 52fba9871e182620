/** In which list of a message. */
export type Kind = 'to' | 'cc' | 'bcc';

/** The provider requires a recipient in `to`. Where none is left, one of the others takes the place; recipients of bcc stay hidden. */
export function callLists<Recipient extends { readonly kind: Kind }>(
  recipients: readonly Recipient[],
): Record<Kind, Recipient[]> {
  const of = (kind: Kind) => recipients.filter((recipient) => recipient.kind === kind);
  const [to, cc, bcc] = [of('to'), of('cc'), of('bcc')];
  if (to.length > 0) return { to, cc, bcc };
  return cc.length > 0 ? { to: cc, cc: [], bcc } : { to: bcc.slice(0, 1), cc, bcc: bcc.slice(1) };
}
