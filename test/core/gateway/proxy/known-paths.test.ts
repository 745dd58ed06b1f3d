import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KnownPaths } from '../../../../src/core/gateway/proxy/known-paths.ts'

const SERVED = [
  ['GET', '/v1/models'],
  ['POST', '/v1/audio/speech'],
  ['POST', '/v1/audio/transcriptions'],
  ['GET', '/api/tags'],
  ['GET', '/api/version'],
  ['POST', '/api/show'],
  ['POST', '/api/chat'],
  ['POST', '/api/generate'],
  ['POST', '/api/embed'],
] as const
const paths = new KnownPaths()
for (const [method, path] of SERVED) paths.add(method, path)
const all = [...SERVED.map((route) => route.join(' ')), 'POST /v1/chat/completions']
const describeRefusal = (method: string, pathname: string): string =>
  paths.unknown({ method, pathname }).message
const named = (text: string): string[] =>
  all.filter(
    (route) => text.includes(`${route}.`) || text.includes(`${route},`) || text.includes(`${route} and`),
  )

describe('the refusal of a path that isn’t served', () => {
  it.each([
    ['GET', '/api/chat', ['POST /api/chat']],
    ['POST', '/api/chats', ['POST /api/chat']],
    ['POST', '/api/embedd', ['POST /api/embed']],
    ['POST', '/v1/audio/translations', ['POST /v1/audio/speech', 'POST /v1/audio/transcriptions']],
    ['POST', '/nothing', ['GET /v1/models', 'POST /v1/chat/completions']],
  ])('%s %s names the near ones', (method, path, near) => {
    expect(named(describeRefusal(method, path))).toEqual(near)
  })
  it('names all of Ollama’s if none is near, and what Sotto can’t do', () => {
    for (const path of [
      '/api/pull',
      '/api/push',
      '/api/copy',
      '/api/delete',
      '/api/create',
      '/api/blobs/sha256:a',
    ]) {
      expect(describeRefusal('POST', path)).toContain('Sotto cannot download, create, copy or delete models.')
      expect(named(describeRefusal('POST', path))).toEqual(all.filter((route) => route.includes('/api/')))
    }
    expect(describeRefusal('POST', '/api/anything')).not.toContain('cannot')
  })
  it('always names a served path, and no other API than that of the path', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'DELETE'),
        fc.oneof(
          fc.webPath(),
          fc.webPath().map((path) => `/api${path}`),
          fc.webPath().map((path) => `/v1${path}`),
        ),
        (method, path) => {
          const routes = named(describeRefusal(method, path))
          expect(routes.length).toBeGreaterThan(0)
          if (path.startsWith('/api/')) expect(routes.every((route) => route.includes('/api/'))).toBe(true)
          expect(describeRefusal(method, path)).not.toContain('OpenAI')
        },
      ),
    )
  })
})
