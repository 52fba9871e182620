import { normalized } from '#libs/http';
import type { ImportField, PlainField } from './contact-fields.js';
import { fieldNamed } from './contact-fields.js';

/**
 * Header names of what people export their contacts from: Google (both layouts), Outlook, Apple, LinkedIn, HubSpot,
 * Thunderbird, in English and as Outlook and Apple translate them (German, French, Spanish, Italian, Dutch,
 * Portuguese). Compared without case, accents, spaces and punctuation. A `?` at the end: only where nothing better
 * stands for the field, because other programs mean something else by it (Outlook's Title is Mr or Ms).
 */
const SYNONYMS: Readonly<Record<PlainField, string>> = {
  id: 'id',
  name: 'name|fullname|displayname|contactname|anzeigename|vollstandigername|nomcomplet|nomaffiche|nombrecompleto|nombreparamostrar|nomecompleto|nomevisualizzato|volledigenaam|weergavenaam|contact?|fileas?|kontakt?',
  firstName: 'firstname|givenname|forename|vorname|prenom|nombre|nome|voornaam|primeironome|nomeproprio',
  middleName:
    'middlename|additionalname|secondname|weiterevornamen|zweitervorname|deuxiemeprenom|segundonombre|secondonome|tweedenaam|segundonome',
  lastName:
    'lastname|familyname|surname|nachname|familienname|nom|nomdefamille|apellido|apellidos|cognome|achternaam|sobrenome|apelido',
  email:
    'email|emailaddress|mail|mailaddress|emailadresse|emailadres|email1value|email1|emailaddress1|primaryemail|workemail|personalemail?|adressedemessagerie|adresseemail|adressemail|courriel|courrier|correo|correoelectronico|direcciondecorreoelectronico|direcciondecorreo|indirizzopostaelettronica|indirizzoemail|indirizzodipostaelettronica|postaelettronica|enderecodeemail|enderecodecorreioelectronico|secondaryemail?|email2address?',
  company:
    'company|companyname|organization|organisation|organizationname|organization1name|firma|unternehmen|societe|entreprise|empresa|compania|azienda|societa|ditta|bedrijf|organizacion|organizzazione|organisatie|organizacao|employer|account?|accountname?|associatedcompany?',
  jobTitle:
    'jobtitle|position|organizationtitle|organization1title|role|occupation|berufsbezeichnung|stellenbezeichnung|funktion|fonction|poste|intituledeposte|puesto|cargo|posizione|qualifica|functie|functietitel|title?|titel?',
  phones:
    'phone|phones|phonenumber|phonenumbers|telephone|tel|mobile|mobilephone|mobilenumber|cellphone|cell|homephone|homephone2|businessphone|businessphone2|workphone|companymainphone|otherphone|primaryphone|carphone|telefon|telefonnummer|mobiltelefon|mobil|handy|telefonprivat|telefongeschaftlich|telefongeschaftlich2|telefonnummerprivat|telefonnummergeschaftlich|telefonprivat2|telefonefixe|telmobile|telephonemobile|telephonedomicile|telephoneprincipal|telephonebureau|numerodetelephone|telefono|telefonomovil|telefonodeltrabajo|telefonoparticular|telefonocellulare|telefonoabitazione|telefonoufficio|cellulare|movil|mobieletelefoon|telefoononwerk|telefoonthuis|telefoonwerk|telefoon|mobielnummer|telemovel|telefone|telefonecelular|telefonecomercial|celular',
  tags: 'tag|tags|label|labels|categories|category|groupmembership|groups|kategorien|kategorie|categorie|categorias|categoria|gruppen|groupes|grupos|gruppi|etiquetas|etiketten|etichette',
  externalId: 'externalid|recordid|recordidcontact|contactid|customerid|kundennummer|externalidentifier',
  customFields: 'customfields',
};

/** Numbered columns of Google: `Phone 2 - Value`. Further addresses stay unmapped: a contact has one. */
const NUMBERED_PHONE = /^phone\d+(value)?$/;

const byName = new Map<string, { field: PlainField; isWeak: boolean }>();
for (const [field, names] of Object.entries(SYNONYMS)) {
  for (const name of names.split('|')) {
    byName.set(name.replace('?', ''), { field: field as PlainField, isWeak: name.endsWith('?') });
  }
}

/** Without case, accents, spaces and punctuation. */
export function folded(header: string): string {
  return normalized(header, 'NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/ß/g, 'ss');
}

/** What a column of this name holds; `isWeak`: unless another column says so more clearly. */
export function fieldOfHeader(header: string): { field: ImportField; isWeak: boolean } | undefined {
  const exact = fieldNamed(header.trim());
  if (exact) return { field: exact, isWeak: false };
  const name = folded(header);
  return NUMBERED_PHONE.test(name) ? { field: 'phones', isWeak: false } : byName.get(name);
}
