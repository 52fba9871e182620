import { emailKey, isEmailKey } from '#libs/email-address';
import { isBirthday, isWebsite } from './contact-details.js';
import type { FieldDeclaration, FieldKind, FieldRule, FieldValues } from './field-declaration.js';

const isEmail = (message: string): FieldRule => ({
  name: 'isContactEmail',
  code: 'not_an_email',
  message,
  isRight: (text) => isEmailKey(emailKey(text)),
});

/**
 * The fields of a contact that users write. Types, statements, requests and responses, import and export follow from this table: a
 * new text or list is one entry here and a migration that adds its column to contact, import_row and import_contact (and to the
 * index contact_with_details).
 */
export const CONTACT_FIELDS = {
  name: {
    kind: 'text',
    column: 'name',
    max: 200,
    headers:
      'name|fullname|displayname|contactname|anzeigename|vollstandigername|nomcomplet|nomaffiche|nombrecompleto|nombreparamostrar|nomecompleto|nomevisualizzato|volledigenaam|weergavenaam|contact?|fileas?|kontakt?|personname|contactfullname|celejmeno|jmenoaprijmeni|zobrazenejmeno|zobrazovanejmeno|imieinazwisko|nazwa?|pelnaimieinazwisko|wyswietlananazwa|nazwawyswietlana|imieinazwiskowyswietlane|nachnamevorname|namevorname|vornamenachname|namevornamenachname|lastnamefirstname|nachname,vorname|celymeno|menoapriezvisko|teljesnev|nev|numecomplet|adisoyadi|adsoyad|имя?|фио|姓名|氏名|名前|名称?|お名前|이름|성명|navn?|nimi?|kokonimi|fulltnavn|fullstandigtnamn|namn?',
    written: 'A contact has a name, an email address or both.',
    example: 'Jana Nováková',
  },
  email: {
    kind: 'email',
    column: 'email',
    keyColumn: 'email_key',
    max: 254,
    rule: isEmail('must be an email address'),
    headers:
      'email|emailaddress|mail|mailaddress|emailadresse|emailadres|email1value|email1|emailaddress1|primaryemail|workemail|personalemail?|adressedemessagerie|adresseemail|adressemail|courriel|courrier|correo|correoelectronico|direcciondecorreoelectronico|direcciondecorreo|indirizzopostaelettronica|indirizzoemail|indirizzodipostaelettronica|postaelettronica|enderecodeemail|enderecodecorreioelectronico|secondaryemail?|email2address?|personemail|personemailwork|personemailhome?|personemailother?|personprimaryemail|emailspersonal|emailsprimaryemail|primaryemailaddress|emailprimaryemail|contactemail|emailhome|emailwork|emailother?|emailprivate?|arbeitemail|privatemail|privatemail|privateemail|emailarbeit|emailprivat|emailgeschaftlich|emailprivat|andereemail?|weitereemail?|emailadresse2?|emailadresse3?|email2adresse?|email3adresse?|email3address?|emailovaadresa|emailadresa|adresaelektronickeposty|adreselektroniczny|adresemail|elektronickaposta|pocztaelektroniczna|emailsluzbowy|emailprywatny|emailpracovni|emailsoukromy|emailcim|eposta|epostaadresi|электроннаяпочта|почта|workemailaddress|homeemail|otheremail?|alternateemail?|alternateemail1?|alternateemail2?|emailsadditionalemails?|additionalemail?|homeemailaddress?|メールアドレス|メール|電子メール|电子邮件|电子邮箱|邮箱|電子郵件|이메일|e-postadress|e-postadresse|epost|sähköposti|sähköpostiosoite|emailaddresses|emailid|workmail?',
    shown: 'As entered; compared in lower case and NFKC.',
    written: 'Stored as entered. Several contacts can share one.',
    example: 'Jana.Novakova@example.com',
  },
  company: {
    kind: 'text',
    column: 'company',
    max: 200,
    headers:
      'company|companyname|organization|organisation|organizationname|organization1name|firma|unternehmen|societe|entreprise|empresa|compania|azienda|societa|ditta|bedrijf|organizacion|organizzazione|organisatie|organizacao|employer|account?|accountname?|associatedcompany?|personorganization|organizationorganisation|companyname2?|currentemployer|firma2?|spolecnost|organizace|zamestnavatel|nazwafirmy|przedsiebiorstwo|organizacja|pracodawca|spolocnost|ceg|cegnev|companie|sirket|компания|организация|companynames?|personcompany|yritys|virksomhed|foretag|会社名|会社|勤務先|公司|公司名称|单位|회사|회사명|organisasjon|organisationname|companyaccount?|accountnamecompany?|företagsnamn|yrityksennimi|defaultaddresscompany?',
    example: 'Acme Coffee',
  },
  jobTitle: {
    kind: 'text',
    column: 'job_title',
    max: 200,
    headers:
      'jobtitle|position|organizationtitle|organization1title|role|occupation|berufsbezeichnung|stellenbezeichnung|funktion|fonction|poste|intituledeposte|puesto|cargo|posizione|qualifica|functie|functietitel|title?|titel?|personjobtitle|personposition|funkce|pozice|pracovnipozice|stanowisko|pozycja|pozicia|funkcia|beosztas|unvan|gorev|должность|profession?|beruf?|jobposition|pracovnífunkce|pracovnizarazeni|役職|職位|职位|职务|직책|직위|befattning|stilling|titteli|tehtävänimike|jobrole|jobdescription|contacttitle?|stellung?',
    example: 'Head of Roasting',
  },
  phones: {
    kind: 'texts',
    column: 'phones',
    max: 40,
    maxItems: 10,
    separator: /:::|[;\r\n]+/,
    alias: 'phone',
    headers:
      'phone|phones|phonenumber|phonenumbers|telephone|tel|mobile|mobilephone|mobilenumber|cellphone|cell|homephone|homephone2|businessphone|businessphone2|workphone|companymainphone|otherphone|primaryphone|carphone|telefon|telefonnummer|mobiltelefon|mobil|handy|telefonprivat|telefongeschaftlich|telefongeschaftlich2|telefonnummerprivat|telefonnummergeschaftlich|telefonprivat2|telefonefixe|telmobile|telephonemobile|telephonedomicile|telephoneprincipal|telephonebureau|numerodetelephone|telefono|telefonomovil|telefonodeltrabajo|telefonoparticular|telefonocellulare|telefonoabitazione|telefonoufficio|cellulare|movil|mobieletelefoon|telefoononwerk|telefoonthuis|telefoonwerk|telefoon|mobielnummer|telemovel|telefone|telefonecelular|telefonecomercial|celular|hauptnummer|arbeittelefon|privattelefon|telefonarbeit|telefonhauptnummer|telefonmobil|mobilnummer|iphone|telefonfirma|telefonauto|autotelefon|weiterestelefon|weiterestelefone|telefonzentrale|telefonassistent|telefongeschaeftlich|telefongeschaeftlich2|telefonhaupt|mobiltelefon2|firmentelefon|haupttelefon|personphone|personphonework|personphonehome|personphonemobile|personphoneother|phonesprimaryphonenumber|phoneprimaryphone|phoneprimary|phoneworkphone|phonehome|phonework|phonemobile|phoneother|contactphone|mobilnitelefon|telefonnicislo|telefonprace|telefondomu|telefonsluzebni|telefonsoukromy|telefondoprace|telefonpracovni|telefondomowy|telefonsluzbowy|telefonkomorkowy|komorka|komorkowy|numertelefonu|telefonprywatny|telefonpraca|mobilnytelefon|telefoncislo|mobiltelefonszam|telefonszam|ceptelefonu|istelefonu|evtelefonu|телефон|мобильный|homephonenumber|workphonenumber|mobilephonenumber|maintelephone|mainphone|primaryphonenumber|sms|whatsapp|whatsappnumber|smsphonenumber|電話番号|電話|携帯電話|携帯|电话|电话号码|手机|手机号|手机号码|手機|전화|전화번호|휴대폰|휴대전화|mobilnr|telefonnr|matkapuhelin|puhelin|puhelinnumero|mobiltelefonnummer|telefonnumre|defaultaddressphone|handynummer|telefonmobilgeschaftlich|rufnummer|festnetz',
    written: 'The whole list, in order.',
    example: ['+420 601 123 456'],
  },
  tags: {
    kind: 'texts',
    column: 'tags',
    max: 60,
    maxItems: 50,
    separator: /:::|[;,\r\n]+/,
    alias: 'tag',
    headers:
      'tag|tags|label|labels|categories|category|groupmembership|groups|kategorien|kategorie|categorie|categorias|categoria|gruppen|groupes|grupos|gruppi|etiquetas|etiketten|etichette|personlabels|personlabel|stitky|kategorie2?|skupiny|skupina|etykiety|kategorie3?|grupy|grupa|groupmembership2?|stitok|cimkek|csoport|etichete|etiketler|метки|contacttags|schlagworter|タグ|标签|標籤|태그|グループ|分组|etiketter|tunnisteet|contactlists?|segments?|lists?',
    written: 'The whole list. Entries that differ only in case are duplicates.',
    example: ['customer', 'Prague'],
  },
  customFields: {
    kind: 'customFields',
    column: 'custom_fields',
    max: 1_000,
    maxItems: 50,
    maxKey: 60,
    headers: 'customfields',
    shown: 'A flat map; values are texts, numbers, booleans or null.',
    example: { language: 'cs', seats: 12, newsletter: true },
  },
  externalId: {
    kind: 'text',
    column: 'external_id',
    max: 120,
    headers:
      'externalid|recordid|recordidcontact|contactid|customerid|kundennummer|externalidentifier|personid|contactid2?|internalcontactid|idkontaktu|cislozakaznika|numerklienta|zakaznickecislo|externalidentifer|extid|leadid|subscriberid?|externalcontactid|contactexternalid|userid?|顧客番号|客户编号',
    shown: 'The id in another system.',
    written: 'The id in another system.',
    example: 'crm-4711',
  },
  additionalEmails: {
    kind: 'emails',
    column: 'additional_emails',
    keyColumn: 'additional_email_keys',
    max: 254,
    maxItems: 20,
    rule: isEmail('must hold email addresses only'),
    isDetail: true,
    headers: 'additionalemails|otheremails|weitereemailadressen|dalsiemaily|inneemaile',
    shown: 'All addresses except the primary one.',
    written:
      'All addresses but the primary one, in their order. Without a primary address the first of them becomes it.',
    example: ['jana@acme.example'],
  },
  addresses: {
    kind: 'addresses',
    column: 'addresses',
    max: 500,
    maxItems: 10,
    isDetail: true,
    alias: 'address',
    headers: '',
    written: 'The whole list, in order.',
  },
  birthday: {
    kind: 'date',
    column: 'birthday',
    max: 10,
    rule: {
      name: 'isBirthday',
      code: 'not_a_date',
      message: 'must be a date such as 1990-05-12 or --05-12',
      isRight: isBirthday,
    },
    isDetail: true,
    isDispensable: true,
    headers:
      'birthday|birthdate|dateofbirth|dob|geburtstag|geburtsdatum|datenaissance|datedenaissance|anniversaire|cumpleanos|fechadenacimiento|compleanno|datadinascita|aniversario|datadenascimento|geboortedatum|verjaardag|narozeniny|datumnarozeni|urodziny|dataurodzenia|datumnarodenia|szuletesnap|szuletesidatum|dogumgunu|dogumtarihi|personbirthday|деньрождения|датарождения|生日|誕生日|生年月日|出生日期|생일|생년월일|födelsedag|födelsedatum|fødselsdag|fødselsdato|syntymäpäivä|syntymäaika',
    shown: 'Without a year if it is unknown: `--05-12`.',
    written: 'A date, or month and day if the year is unknown: `--05-12`.',
    example: '1990-05-12',
  },
  department: {
    kind: 'text',
    column: 'department',
    max: 200,
    isDetail: true,
    headers:
      'department|abteilung|organizationdepartment|organization1department|service?|departement|departamento|dipartimento|reparto|afdeling|oddeleni|dzial|oddelenie|osztaly|departman|bolum|отдел|companydepartment|部署|部署名|部门|部門|부서|avdelning|avdeling|osasto|organisationdepartment',
    example: 'Roastery',
  },
  websites: {
    kind: 'texts',
    column: 'websites',
    max: 1_000,
    maxItems: 20,
    separator: /:::|[;,\s]+/,
    rule: {
      name: 'isWebsite',
      code: 'not_a_website',
      message: 'must hold addresses such as https://acme.example only',
      isRight: isWebsite,
    },
    isDetail: true,
    isDispensable: true,
    alias: 'website',
    headers:
      'website|websites|personalwebsite|webpage|homepage|url|urls|web|webseite|internetseite|webadresse|siteweb|sitioweb|sitoweb|paginaweb|paginadaweb|webstranka|webovastranka|www|stronainternetowa|stronawww|personalwebpage|businesswebsite|weblap|personwebsite|domainname?|linkedin?|website1value|website1|url1|сайт|websiteurl|weburl|companywebsite?|companydomainname?|ホームページ|ウェブサイト|网站|网址|網站|웹사이트|웹사이트주소|hemsida|webbplats|nettside|nettsted|hjemmeside|verkkosivu|kotisivu|linkedinurl?|linkedinprofile?',
    written: 'Web addresses, with or without `https://`; no other scheme.',
    example: ['https://acme.example'],
  },
} as const satisfies Readonly<Record<string, FieldDeclaration>>;

type Declared = typeof CONTACT_FIELDS;
export type ContactField = keyof Declared;
type FieldOf<Kind extends FieldKind> = {
  [Field in ContactField]: Declared[Field]['kind'] extends Kind ? Field : never;
}[ContactField];

export type TextsField = FieldOf<'texts'>;

export type ContactFields = { readonly [Field in ContactField]: FieldValues[Declared[Field]['kind']] };

/** The columns of these fields, as pg reads them. */
export type FieldColumns = {
  readonly [Field in ContactField as Declared[Field]['column']]: ContactFields[Field];
};

/** In the order of the table, with the properties that only some have. */
export const FIELDS = Object.entries(CONTACT_FIELDS) as readonly (readonly [
  ContactField,
  FieldDeclaration,
])[];

export const fieldNames = FIELDS.map(([field]) => field);

export function fieldsOfKind<Kind extends FieldKind>(...kinds: readonly Kind[]): readonly FieldOf<Kind>[] {
  return FIELDS.flatMap(([field, { kind }]) =>
    kinds.includes(kind as Kind) ? [field as FieldOf<Kind>] : [],
  );
}

export const columnsOfKind = (...kinds: readonly FieldKind[]): readonly string[] =>
  fieldsOfKind(...kinds).map((field) => CONTACT_FIELDS[field].column);
