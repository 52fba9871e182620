/** Local parts of departments and offices: RFC 2142, and common ones in the languages of customers. */
const ROLES = new Set(
  [
    'info|office|sales|contact|contacts|hello|hi|mail|email|post|team|admin|administration|administrator|support|help|helpdesk',
    'service|services|servicedesk|customerservice|customercare|enquiries|inquiries|enquiry|inquiry|feedback|general|reception',
    'marketing|press|media|pr|news|newsletter|hr|jobs|career|careers|recruiting|billing|invoice|invoices|accounting|accounts',
    'finance|payments|orders|order|booking|bookings|reservations|reservation|shop|store|legal|privacy|gdpr|dpo|security|abuse',
    'webmaster|hostmaster|postmaster|noc|noreply|no-reply|donotreply|it|tech|purchasing|procurement|logistics|export|import',
    'kontakt|buero|büro|zentrale|empfang|sekretariat|vertrieb|verkauf|einkauf|buchhaltung|rechnung|rechnungen|bestellung',
    'bestellungen|verwaltung|kundenservice|service-center|personal|bewerbung|presse|redaktion|praxis|kanzlei|hotel|rezeption',
    'obchod|prodej|podpora|fakturace|faktury|ucetni|ucetnictvi|objednavky|recepce|personalni|poptavka|poptavky|podatelna',
    'biuro|sklep|sprzedaz|zamowienia|kancelaria|ksiegowosc|faktura|obsluga|handlowy|iroda|penzugy|ertekesites|birou|vanzari',
    'contacto|ventas|administracion|contabilidad|facturacion|pedidos|atencion|compras|geral|vendas|comercial|financeiro',
    'commercial|comptabilite|accueil|secretariat|direction|bonjour|facturation|commande|commandes|amministrazione|vendite',
    'ufficio|segreteria|ordini|verkoop|administratie|kantoor|facturen|bestellingen|klantenservice|myynti|toimisto|bilgi|satis',
  ].flatMap((roles) => roles.split('|')),
);

/** Shorter words before a separator are often names and abbreviations: `it.smith@`, `pr.jones@`. */
const MIN_PREFIX = 4;

/**
 * Whether several people can share the mailbox: `info@`, also `info+berlin@`, `sales.de@`, `office-wien@` and `info2@`.
 * @param key an address as `emailKey` spells it
 */
export function isRoleAddress(key: string): boolean {
  const [local = ''] = key.slice(0, key.lastIndexOf('@')).split('+');
  if (isRole(local)) return true;
  const [prefix = ''] = local.split(/[._-]/);
  return prefix.length >= MIN_PREFIX && isRole(prefix);
}

const isRole = (word: string): boolean => ROLES.has(word) || ROLES.has(word.replace(/\d{1,3}$/, ''));
