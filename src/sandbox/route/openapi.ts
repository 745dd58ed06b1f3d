import { z } from 'zod'
import type { CredentialHeader } from '../credential.ts'
import type { Revision } from '../sandbox.ts'
import { pathsOf } from './mount.ts'
import type { AnswerFacts, Route } from './route.ts'
import { nothing } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** The subset of OpenAPI 3.1 that is used here. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly Json[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Json }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Json; readonly headers?: Json }>
  >
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Json
}

export interface Description {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly components: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const schemes: Readonly<Record<CredentialHeader | 'payment', Json>> = {
  authorization: { type: 'http', scheme: 'bearer', description: 'An API key' },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key' },
  'api-key': { type: 'apiKey', in: 'header', name: 'api-key' },
  'x-credit-id': {
    type: 'apiKey',
    in: 'header',
    name: 'x-credit-id',
    description: 'Credit ID of the account',
  },
  payment: {
    type: 'http',
    scheme: 'L402',
    description:
      'L402 <token>:<preimage>, or Payment <base64url JSON>: a paid challenge for the identical request. It can be used once',
  },
}

/** OpenAPI 3.1, from the schemas that the routes parse with. @param baseUrl of this server */
export function describe(routes: readonly Route[], baseUrl: string, revision: Revision): Description {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const { facts } = route
    if (facts.revision !== undefined && facts.revision !== revision) continue
    for (const path of pathsOf(facts)) {
      const methods = (paths[path] ??= {})
      methods[facts.method.toLowerCase()] = operation(route, path)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Sotto sandbox, revision ${revision}`,
      version: revision,
      description:
        'A simulated pay-per-use AI service on this computer: simulated models, test networks, no real money. Paths of the enclaves start with /private and /service-enclave. They are not listed here.',
    },
    servers: [{ url: baseUrl }],
    components: { securitySchemes: schemes },
    paths,
  }
}

function operation({ facts, schemas, takes, payable }: Route, path: string): Operation {
  const body = schemas.input === nothing ? undefined : schemaOf(schemas.input, 'input')
  const answers: [string, AnswerFacts][] = Object.entries(facts.answers)
  return {
    operationId: `${facts.method.toLowerCase()} ${path}`.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/_$/, ''),
    tags: [facts.tag],
    summary: facts.summary,
    security: [
      ...takes.map((header) => ({ [header]: [] })),
      ...(payable ? [{ payment: [] }] : []),
      ...(takes.length === 0 ? [{}] : []),
    ],
    parameters: [...parametersOf(schemas.params, 'path'), ...parametersOf(schemas.query, 'query')],
    ...(body && {
      requestBody: {
        required: !schemas.input.safeParse(undefined).success,
        content: { [schemas.bodyType]: { schema: body } },
      },
    }),
    responses: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, response(answer)])),
      ...(payable && {
        402: {
          description:
            'Without an API key: a challenge to pay for this request. With one: the balance or the cap of the key is too low',
          headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
        },
      }),
      default: { description: 'The request failed: 400 (with the field), 401, 404, 413, 415, or 429' },
    },
  }
}

function response({ description, schema, contentType = 'application/json' }: AnswerFacts): {
  description: string
  content?: Json
} {
  return {
    description,
    ...(schema && { content: { [contentType]: { schema: schemaOf(schema, 'output') } } }),
  }
}

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
})

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Parameter[] {
  if (schema === nothing) return []
  const { properties = {}, required = [] } = objectSchema.parse(schemaOf(schema, 'input'))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
