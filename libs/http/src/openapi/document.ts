import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FieldErrorDto, ProblemDto } from '../problems/problem.dto.js';
import { API_KEY_AUTH, type ApiDescription, BEARER_AUTH, SERVICE_TOKEN_AUTH } from './api-description.js';
import { completeOperations } from './complete-operations.js';
import { shareComponents } from './share-components.js';

const API_KEY =
  'Key of an organization. Sent together with a bearer, both must be valid and of one organization; what both may do counts.';
const SERVICE_TOKEN =
  'Token of a calling service. It decides alone: where an operation takes other credentials too, a bearer or a key that is sent together with it is ignored, and the call is that of the service. To call as a person, leave it out: in Swagger UI, log out of this scheme.';

const CONTACT = { name: 'The operator of this installation' };
/** An SPDX expression for software without a public license (OpenAPI 3.1, License Object). */
const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/**
 * The OpenAPI 3.1 document of one service. Its server is relative, so that the document works under every host name.
 * @param publicUrl only its path is used
 */
export function openApiDocument(
  app: INestApplication,
  api: ApiDescription,
  version: string,
  publicUrl?: string,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(`${api.description}\n\n${NUMBERS}`)
    .setVersion(version)
    .addServer(serverPath(publicUrl), 'This service');
  addSecurity(builder, api);
  for (const tag of api.tags) builder.addTag(tag.name, tag.description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, FieldErrorDto],
    operationIdFactory: (_controller, method) => method,
  });
  addProblemMembers(document, api);
  addWords(document, api.words?.(app) ?? {});
  Object.assign(document.info, { contact: api.contact ?? CONTACT, license: api.license ?? LICENSE });
  return shareComponents(completeOperations(document));
}

/** Of all services. */
const NUMBERS =
  'An integer in a body that a number (IEEE 754 double) cannot hold with all its digits, such as `12345678901234567`, is refused with 400 (`number_not_exact` in `errors`): send it as text.';

function addSecurity(builder: DocumentBuilder, api: ApiDescription): void {
  const { bearers = true, apiKeys = false, serviceTokens = false } = api;
  const inHeader = (name: string, description: string) =>
    ({ type: 'apiKey', in: 'header', name, description }) as const;
  if (bearers)
    builder.addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'Access token from the identity service.' },
      BEARER_AUTH,
    );
  if (apiKeys) builder.addApiKey(inHeader('X-Api-Key', API_KEY), API_KEY_AUTH);
  if (serviceTokens) builder.addApiKey(inHeader('X-Service-Token', SERVICE_TOKEN), SERVICE_TOKEN_AUTH);
}

const serverPath = (publicUrl?: string): string =>
  (publicUrl && new URL(publicUrl).pathname.replace(/\/+$/, '')) || '/';

function addProblemMembers({ components }: OpenAPIObject, { problemMembers }: ApiDescription): void {
  const { properties } = components?.schemas?.[ProblemDto.name] as { properties: object };
  Object.assign(properties, problemMembers);
}

/** A later release adds words, so that they are no `enum`, which clients may take for complete. */
function addWords({ components }: OpenAPIObject, words: Readonly<Record<string, readonly string[]>>): void {
  for (const [place, known] of Object.entries(words)) {
    const [schema = '', property = ''] = place.split('.');
    const { properties } = components?.schemas?.[schema] as { properties: Record<string, object> };
    Object.assign(properties[property] as object, { 'x-extensible-enum': known });
  }
}
