import fc from 'fast-check'
import { expect, it } from 'vitest'
import { METHODS, PROXY_PREFIXES, targetsBelow, UI_PREFIXES } from '../security/attack-table.ts'
import { startTwoServers } from '../security/two-servers.ts'
import { parserRuns } from './hostile-bytes.ts'

/** Characters that an HTTP parser takes within a target; what it does not take never reaches our code. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/', '.', '%', '\\', ';', '?', '#', '&', '=', ':', '@', '~', '+') },
  { weight: 3, arbitrary: fc.constantFrom('0', '2', '5', '9', 'a', 'c', 'e', 'f', 'E', 'F') },
  { weight: 1, arbitrary: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) },
)
const piece = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%2e',
    '%2f',
    '%5c',
    '%25',
    '%00',
    '..;',
    'api',
    'localApi',
    'get',
    'rotate',
    'media',
    'upload',
    'v1',
    'models',
    'chat',
    'completions',
    'session',
    'health',
    'assets',
    'index.html',
    '%61pi',
  ),
  fc.string({ unit: character, maxLength: 6 }),
)
const targetFrom = (prefixes: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...targetsBelow(prefixes)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...prefixes),
          fc.array(fc.tuple(fc.constantFrom('/', '/', '', '//', '%2f', '\\'), piece), { maxLength: 8 }),
        )
        .map(([prefix, pieces]) => prefix + pieces.flat().join('')),
    },
  )
const request = (prefixes: readonly string[]) =>
  fc.record({
    method: fc.constantFrom(...METHODS),
    target: targetFrom(prefixes),
    type: fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x', ''),
    body: fc.constantFrom('', '{}', '{"json":{}}'),
  })

it('no generated target opens either server to a caller without a credential', async () => {
  await using servers = await startTwoServers()
  const before = servers.procedures()
  const received = servers.world.sandbox.received().length
  const seen = { 200: 0, refused: 0 }
  for (const [client, host, prefixes] of [
    [servers.ui, servers.uiHost, UI_PREFIXES],
    [servers.proxy, servers.proxyHost, PROXY_PREFIXES],
  ] as const) {
    await fc.assert(
      fc.asyncProperty(request(prefixes), async ({ method, target, type, body }) => {
        const answer = await client.ask({
          method,
          target,
          body,
          headers: [['host', host], ...(type === '' ? [] : [['content-type', type] as const])],
        })
        seen[answer.status === 200 ? 200 : 'refused']++
        expect(servers.leak(answer, method)).toBeNull()
      }),
      { numRuns: parserRuns, endOnFailure: true },
    )
  }
  expect(servers.procedures()).toBe(before)
  expect(servers.world.sandbox.received().length).toBe(received)
  // The generator does reach what may be reached.
  expect(seen[200]).toBeGreaterThan(0)
  expect(seen.refused).toBeGreaterThan(0)
}, 3_600_000)
