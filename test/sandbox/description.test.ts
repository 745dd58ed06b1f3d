import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/sandbox/routes/index.ts'
import { pathsOf } from '../../src/sandbox/route/mount.ts'
import { request, startService, type Service } from './service-client.ts'

interface Document {
  readonly openapi: string
  readonly servers: { url: string }[]
  readonly components: { securitySchemes: Record<string, unknown> }
  readonly paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        security: Record<string, unknown>[]
        parameters: { name: string; in: string; schema: object }[]
        responses: object
        requestBody?: {
          required: boolean
          content: Record<string, { schema: { required?: string[]; properties: Record<string, unknown> } }>
        }
      }
    >
  >
}

let services: Record<'A' | 'B', Service>
beforeAll(async () => {
  services = { A: await startService({ revision: 'A' }), B: await startService() }
})
afterAll(async () => {
  for (const service of Object.values(services)) await service[Symbol.asyncDispose]()
})

async function describedBy(revision: 'A' | 'B'): Promise<Document> {
  const answer = await fetch(`${services[revision].sandbox.baseUrl}/openapi.json`)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return (await answer.json()) as Document
}

describe.each(['A', 'B'] as const)('revision %s', (revision) => {
  test('describes every route at each of its paths, and no others', async () => {
    const { openapi, paths, servers } = await describedBy(revision)
    expect([openapi, servers]).toEqual(['3.1.0', [{ url: services[revision].sandbox.baseUrl }]])
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const mounted = routes
      .filter(({ facts }) => facts.revision === undefined || facts.revision === revision)
      .flatMap(({ facts }) => pathsOf(facts).map((path) => `${facts.method} ${path}`))
    expect(named.sort()).toEqual(mounted.sort())
    for (const name of named) {
      const [method = '', path = ''] = name.split(' ')
      const answer = await request(
        services[revision].sandbox.baseUrl + path.replaceAll(/\{\w+\}/g, 'x'),
        method,
        undefined,
        {},
      )
      expect(answer.body, name).not.toBe('OOPS! - 404 Not Found')
    }
  })

  test('is complete: each operation has a unique ID, and every path parameter and credential is declared', async () => {
    const { paths, components } = await describedBy(revision)
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    )
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    for (const { path, operation } of operations) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(
        operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ).toEqual(wanted)
      for (const scheme of operation.security.flatMap(Object.keys))
        expect(components.securitySchemes).toHaveProperty([scheme])
      expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
    }
  })
})

test('a body is described as it is parsed', async () => {
  const { paths } = await describedBy('B')
  const body = paths['/keys']?.['post']?.requestBody
  expect(body?.required).toBe(true)
  expect(body?.content['application/json']?.schema.required).toEqual(['name'])
  expect(body?.content['application/json']?.schema.properties['name']).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 25,
  })
  const history = paths['/queries/history']?.['get']
  expect(history?.parameters.map(({ name }) => name)).toEqual([
    'credit_id',
    'all_keys',
    'api_key',
    'start_date',
    'end_date',
    'model',
    'query_source',
    'query_type',
    'page',
    'page_count',
  ])
})

test('the HTML page loads nothing else, and runs no script', async () => {
  const answer = await fetch(`${services.B.sandbox.baseUrl}/openapi.html`)
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const html = await answer.text()
  for (const path of Object.keys((await describedBy('B')).paths)) expect(html).toContain(path)
  expect(html).not.toMatch(/<script|src=|https?:\/\/(?!127)/)
})

describe('the revisions differ as the Versioning table states', () => {
  const ids = async (revision: 'A' | 'B', path: string) => {
    const answer = await services[revision].call('GET', path)
    return answer.status === 200
      ? (answer.body.data as unknown as { id: string }[]).map(({ id }) => id)
      : answer.status
  }

  test('private models and their paths: absent in A, present in B', async () => {
    expect(await ids('B', '/v1/models?type=all')).toContain('private/sandbox-lento-8b')
    const inA = await ids('A', '/v1/models?type=all')
    expect(Array.isArray(inA) && inA.some((id) => id.startsWith('private/'))).toBe(false)
    expect((await services.A.call('GET', '/private/attestation')).body).toBe('OOPS! - 404 Not Found')
    expect((await services.A.call('POST', '/private/v1/chat/completions', { body: {} })).status).toBe(404)
  })

  test('media models: a separate listing in A, a filter in B', async () => {
    const media = await ids('B', '/v1/models?type=image,video')
    expect(media).toEqual(expect.arrayContaining(['sandbox/affresco-image', 'sandbox/carosello-video']))
    expect(await ids('A', '/v1/media/models')).toEqual(media)
    expect(await ids('A', '/v1/models?type=image,video')).toEqual([])
    expect(await ids('B', '/v1/media/models')).toBe(404)
  })
})
