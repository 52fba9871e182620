import { normalized } from '#libs/http';
import type { AddressHeader } from './address-headers.js';
import { addressHeader } from './address-headers.js';
import { LONGEST_HEADER } from './column-names.js';
import type { ImportField, PlainField } from './contact-fields.js';
import { fieldNamed } from './contact-fields.js';

/**
 * Header names of exports: Google (both layouts), Outlook, Apple, LinkedIn, HubSpot, Mailchimp, Brevo, Shopify, Thunderbird,
 * Yahoo, Roundcube, CiviCRM, Pipedrive and Twenty, in English and in the translations of Outlook and Apple (German, French,
 * Spanish, Italian, Dutch, Portuguese, Czech, Slovak, Polish, Hungarian, Turkish, Swedish, Norwegian, Danish, Finnish, Japanese,
 * Chinese, Korean). Compared without case, accents, spaces and
 * punctuation. A `?` at the end: used only when no other column has the field, because the header is ambiguous (Outlook's
 * Title is Mr or Ms).
 */
const SYNONYMS: Readonly<Record<PlainField, string>> = {
  id: 'id',
  name: 'name|fullname|displayname|contactname|anzeigename|vollstandigername|nomcomplet|nomaffiche|nombrecompleto|nombreparamostrar|nomecompleto|nomevisualizzato|volledigenaam|weergavenaam|contact?|fileas?|kontakt?|personname|contactfullname|celejmeno|jmenoaprijmeni|zobrazenejmeno|zobrazovanejmeno|imieinazwisko|nazwa?|pelnaimieinazwisko|wyswietlananazwa|nazwawyswietlana|imieinazwiskowyswietlane|nachnamevorname|namevorname|vornamenachname|namevornamenachname|lastnamefirstname|nachname,vorname|celymeno|menoapriezvisko|teljesnev|nev|numecomplet|adisoyadi|adsoyad|имя?|фио|姓名|氏名|名前|名称?|お名前|이름|성명|navn?|nimi?|kokonimi|fulltnavn|fullstandigtnamn|namn?',
  firstName:
    'jmeno|firstname|givenname|forename|vorname|prenom|nombre|nome|voornaam|primeironome|nomeproprio|first|personfirstname|contactfirstname|namefirstname|krestnijmeno|krestni|jmenokrestni|imie|pierwszeimie|meno?|keresztnev|utonev|prenume|isim?|ad?|имя?|fname|förnamn|fornavn|etunimi|名|όνομα|vardas|eesnimi|prvoime|firstnamegiven',
  middleName:
    'middlename|additionalname|secondname|weiterevornamen|zweitervorname|deuxiemeprenom|segundonombre|secondonome|tweedenaam|segundonome|middle|personmiddlename|druhejmeno|prostrednijmeno|drugieimie|stredni|zweitename|mellannamn|mellomnavn|mellemnavn|mname',
  lastName:
    'nume|lastname|familyname|surname|nachname|familienname|nom|nomdefamille|apellido|apellidos|cognome|achternaam|sobrenome|apelido|last|personlastname|contactlastname|namelastname|prijmeni|nazwisko|priezvisko|vezeteknev|csaladnev|soyad|soyadi|фамилия|lname|efternamn|efternavn|etternavn|sukunimi|姓|επώνυμο|pavardė|perekonnanimi|prezime',
  email:
    'email|emailaddress|mail|mailaddress|emailadresse|emailadres|email1value|email1|emailaddress1|primaryemail|workemail|personalemail?|adressedemessagerie|adresseemail|adressemail|courriel|courrier|correo|correoelectronico|direcciondecorreoelectronico|direcciondecorreo|indirizzopostaelettronica|indirizzoemail|indirizzodipostaelettronica|postaelettronica|enderecodeemail|enderecodecorreioelectronico|secondaryemail?|email2address?|personemail|personemailwork|personemailhome?|personemailother?|personprimaryemail|emailspersonal|emailsprimaryemail|primaryemailaddress|emailprimaryemail|contactemail|emailhome|emailwork|emailother?|emailprivate?|arbeitemail|privatemail|privatemail|privateemail|emailarbeit|emailprivat|emailgeschaftlich|emailprivat|andereemail?|weitereemail?|emailadresse2?|emailadresse3?|email2adresse?|email3adresse?|email3address?|emailovaadresa|emailadresa|adresaelektronickeposty|adreselektroniczny|adresemail|elektronickaposta|pocztaelektroniczna|emailsluzbowy|emailprywatny|emailpracovni|emailsoukromy|emailcim|eposta|epostaadresi|электроннаяпочта|почта|workemailaddress|homeemail|otheremail?|alternateemail?|alternateemail1?|alternateemail2?|emailsadditionalemails?|additionalemail?|homeemailaddress?|メールアドレス|メール|電子メール|电子邮件|电子邮箱|邮箱|電子郵件|이메일|e-postadress|e-postadresse|epost|sähköposti|sähköpostiosoite|emailaddresses|emailid|workmail?',
  company:
    'company|companyname|organization|organisation|organizationname|organization1name|firma|unternehmen|societe|entreprise|empresa|compania|azienda|societa|ditta|bedrijf|organizacion|organizzazione|organisatie|organizacao|employer|account?|accountname?|associatedcompany?|personorganization|organizationorganisation|companyname2?|currentemployer|firma2?|spolecnost|organizace|zamestnavatel|nazwafirmy|przedsiebiorstwo|organizacja|pracodawca|spolocnost|ceg|cegnev|companie|sirket|компания|организация|companynames?|personcompany|yritys|virksomhed|foretag|会社名|会社|勤務先|公司|公司名称|单位|회사|회사명|organisasjon|organisationname|companyaccount?|accountnamecompany?|företagsnamn|yrityksennimi|defaultaddresscompany?',
  jobTitle:
    'jobtitle|position|organizationtitle|organization1title|role|occupation|berufsbezeichnung|stellenbezeichnung|funktion|fonction|poste|intituledeposte|puesto|cargo|posizione|qualifica|functie|functietitel|title?|titel?|personjobtitle|personposition|funkce|pozice|pracovnipozice|stanowisko|pozycja|pozicia|funkcia|beosztas|unvan|gorev|должность|profession?|beruf?|jobposition|pracovnífunkce|pracovnizarazeni|役職|職位|职位|职务|직책|직위|befattning|stilling|titteli|tehtävänimike|jobrole|jobdescription|contacttitle?|stellung?',
  phones:
    'phone|phones|phonenumber|phonenumbers|telephone|tel|mobile|mobilephone|mobilenumber|cellphone|cell|homephone|homephone2|businessphone|businessphone2|workphone|companymainphone|otherphone|primaryphone|carphone|telefon|telefonnummer|mobiltelefon|mobil|handy|telefonprivat|telefongeschaftlich|telefongeschaftlich2|telefonnummerprivat|telefonnummergeschaftlich|telefonprivat2|telefonefixe|telmobile|telephonemobile|telephonedomicile|telephoneprincipal|telephonebureau|numerodetelephone|telefono|telefonomovil|telefonodeltrabajo|telefonoparticular|telefonocellulare|telefonoabitazione|telefonoufficio|cellulare|movil|mobieletelefoon|telefoononwerk|telefoonthuis|telefoonwerk|telefoon|mobielnummer|telemovel|telefone|telefonecelular|telefonecomercial|celular|hauptnummer|arbeittelefon|privattelefon|telefonarbeit|telefonhauptnummer|telefonmobil|mobilnummer|iphone|telefonfirma|telefonauto|autotelefon|weiterestelefon|weiterestelefone|telefonzentrale|telefonassistent|telefongeschaeftlich|telefongeschaeftlich2|telefonhaupt|mobiltelefon2|firmentelefon|haupttelefon|personphone|personphonework|personphonehome|personphonemobile|personphoneother|phonesprimaryphonenumber|phoneprimaryphone|phoneprimary|phoneworkphone|phonehome|phonework|phonemobile|phoneother|contactphone|mobilnitelefon|telefonnicislo|telefonprace|telefondomu|telefonsluzebni|telefonsoukromy|telefondoprace|telefonpracovni|telefondomowy|telefonsluzbowy|telefonkomorkowy|komorka|komorkowy|numertelefonu|telefonprywatny|telefonpraca|mobilnytelefon|telefoncislo|mobiltelefonszam|telefonszam|ceptelefonu|istelefonu|evtelefonu|телефон|мобильный|homephonenumber|workphonenumber|mobilephonenumber|maintelephone|mainphone|primaryphonenumber|sms|whatsapp|whatsappnumber|smsphonenumber|電話番号|電話|携帯電話|携帯|电话|电话号码|手机|手机号|手机号码|手機|전화|전화번호|휴대폰|휴대전화|mobilnr|telefonnr|matkapuhelin|puhelin|puhelinnumero|mobiltelefonnummer|telefonnumre|defaultaddressphone|handynummer|telefonmobilgeschaftlich|rufnummer|festnetz',
  tags: 'tag|tags|label|labels|categories|category|groupmembership|groups|kategorien|kategorie|categorie|categorias|categoria|gruppen|groupes|grupos|gruppi|etiquetas|etiketten|etichette|personlabels|personlabel|stitky|kategorie2?|skupiny|skupina|etykiety|kategorie3?|grupy|grupa|groupmembership2?|stitok|cimkek|csoport|etichete|etiketler|метки|contacttags|schlagworter|タグ|标签|標籤|태그|グループ|分组|etiketter|tunnisteet|contactlists?|segments?|lists?',
  externalId:
    'externalid|recordid|recordidcontact|contactid|customerid|kundennummer|externalidentifier|personid|contactid2?|internalcontactid|idkontaktu|cislozakaznika|numerklienta|zakaznickecislo|externalidentifer|extid|leadid|subscriberid?|externalcontactid|contactexternalid|userid?|顧客番号|客户编号',
  customFields: 'customfields',
  additionalEmails: 'additionalemails|otheremails|weitereemailadressen|dalsiemaily|inneemaile',
  addresses: '',
  birthday:
    'birthday|birthdate|dateofbirth|dob|geburtstag|geburtsdatum|datenaissance|datedenaissance|anniversaire|cumpleanos|fechadenacimiento|compleanno|datadinascita|aniversario|datadenascimento|geboortedatum|verjaardag|narozeniny|datumnarozeni|urodziny|dataurodzenia|datumnarodenia|szuletesnap|szuletesidatum|dogumgunu|dogumtarihi|personbirthday|деньрождения|датарождения|生日|誕生日|生年月日|出生日期|생일|생년월일|födelsedag|födelsedatum|fødselsdag|fødselsdato|syntymäpäivä|syntymäaika',
  birthYear: '',
  birthMonth: '',
  birthDay: '',
  department:
    'department|abteilung|organizationdepartment|organization1department|service?|departement|departamento|dipartimento|reparto|afdeling|oddeleni|dzial|oddelenie|osztaly|departman|bolum|отдел|companydepartment|部署|部署名|部门|部門|부서|avdelning|avdeling|osasto|organisationdepartment',
  websites:
    'website|websites|personalwebsite|webpage|homepage|url|urls|web|webseite|internetseite|webadresse|siteweb|sitioweb|sitoweb|paginaweb|paginadaweb|webstranka|webovastranka|www|stronainternetowa|stronawww|personalwebpage|businesswebsite|weblap|personwebsite|domainname?|linkedin?|website1value|website1|url1|сайт|websiteurl|weburl|companywebsite?|companydomainname?|ホームページ|ウェブサイト|网站|网址|網站|웹사이트|웹사이트주소|hemsida|webbplats|nettside|nettsted|hjemmeside|verkkosivu|kotisivu|linkedinurl?|linkedinprofile?',
  notes:
    'notes|note|notizen|notiz|bemerkung|bemerkungen|anmerkung|anmerkungen|kommentar|comments|comment|remarque|remarques|notas|observaciones|observacoes|commenti|opmerkingen|notities|poznamka|poznamky|notatki|notatka|uwagi|jegyzet|megjegyzes|notlar|заметки|personnotes|備考|メモ|备注|備註|메모|비고|anteckningar|anteckning|notater|bemærkninger|muistiinpanot|huomautukset|contactnotes',
};

/** Numbered columns of Google, Yahoo and Apple. */
const NUMBERED: readonly (readonly [RegExp, PlainField])[] = [
  [/^phone\d+(value|number)?$/, 'phones'],
  [/^e?mail\d+(value|address)?$/, 'email'],
  [/^(website|url|webpage)\d+(value)?$/, 'websites'],
];

/** `Phone Number 2`, in any language: the number is no part of the name. */
const REPEATED: readonly PlainField[] = ['phones', 'email', 'websites'];

const byName = new Map<string, { field: PlainField; isWeak: boolean }>();
/** Without case, accents, spaces and punctuation. */
export function folded(header: string): string {
  return normalized(header, 'NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/ß/g, 'ss');
}

for (const [field, names] of Object.entries(SYNONYMS)) {
  for (const name of names.split('|')) {
    if (name !== '') byName.set(folded(name), { field: field as PlainField, isWeak: name.endsWith('?') });
  }
}

/** The meaning of a column name. */
export interface KnownHeader {
  readonly field: ImportField;
  /** Used only when no other column names the field without doubt. */
  readonly isWeak: boolean;
  /** The field depends on the other address columns (addressFields). */
  readonly address?: AddressHeader;
}

/** By the name alone; headers-in-context.ts considers the other headers. */
export function fieldOfHeader(header: string): KnownHeader | undefined {
  if (header.length > LONGEST_HEADER) return undefined;
  const exact = fieldNamed(header.trim());
  if (exact && header.trim() !== 'address') return { field: exact, isWeak: false };
  const name = folded(header);
  const numbered = NUMBERED.find(([pattern]) => pattern.test(name))?.[1];
  if (numbered) return { field: numbered, isWeak: false };
  const known = byName.get(name);
  if (known) return known;
  const repeated = byName.get(name.replace(/\d{1,2}$/, ''));
  if (repeated && REPEATED.includes(repeated.field)) return repeated;
  const address = addressHeader(name);
  return address && { field: 'addresses', isWeak: address.isWeak, address };
}
