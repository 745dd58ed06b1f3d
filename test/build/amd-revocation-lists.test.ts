import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updateRevocationLists } from '../../build/amd-revocation-lists.ts'
import { pem } from '../../src/sandbox/der/certificate.ts'
import { amdRevocationList } from '../../src/sandbox/world/amd.ts'
import { loadRoots, type Roots } from '../../src/sandbox/world/roots.ts'
import { sandboxFolder } from '../sandbox/cached-roots.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 24 * 3600_000
const FILE = 'amd_crl_genoa.der'

let roots: Roots
let server: Server
let origin = ''
let answer: { readonly status: number; readonly body: Buffer; readonly location?: string }
let asked: string[]
beforeAll(async () => {
  roots = await loadRoots(await sandboxFolder(), () => true)
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response
      .writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location })
      .end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`
})
afterAll(() => {
  server.close()
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-trust-'))
  writeFileSync(join(folder, 'ask_ark_genoa.pem'), pem(roots.ask) + pem(roots.ark))
  asked = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const mintList = (
  thisUpdate = NOW - DAY,
  nextUpdate = NOW + 30 * DAY,
  arkPrivateKey = roots.arkKey,
): Buffer =>
  amdRevocationList({
    arkPrivateKey,
    arkPublicKey: createPublicKey(roots.arkKey),
    askRevoked: false,
    thisUpdate,
    nextUpdate,
  })
const update = (checkOnly = false) => updateRevocationLists({ folder, server: origin, now: NOW, checkOnly })
const shipped = () => (readdirSync(folder).includes(FILE) ? readFileSync(join(folder, FILE)) : null)

describe('the lists of a release', () => {
  it('are downloaded for each product that has a root, verified and written', async () => {
    answer = { status: 200, body: mintList() }
    expect(await update()).toEqual([])
    expect(asked).toEqual(['/vcek/v1/Genoa/crl'])
    expect(shipped()).toEqual(answer.body)
    expect(await update(true)).toEqual([])
  })

  it.each<[string, string, () => typeof answer]>([
    [
      'a forged list',
      'amd/crl-invalid',
      () => ({ status: 200, body: mintList(undefined, undefined, roots.askKey) }),
    ],
    [
      'a list that has ended',
      'amd/crl-expired',
      () => ({ status: 200, body: mintList(NOW - 40 * DAY, NOW - DAY) }),
    ],
    ['a list of tomorrow', 'amd/crl-not-yet-valid', () => ({ status: 200, body: mintList(NOW + DAY) })],
    ['a body over 64 KiB', 'too large', () => ({ status: 200, body: Buffer.alloc(65 * 1024) })],
    ['a page', 'amd/crl-malformed', () => ({ status: 200, body: Buffer.from('<html>') })],
    [
      'a redirect',
      'status 302',
      () => ({ status: 302, body: Buffer.alloc(0), location: `${origin}/elsewhere` }),
    ],
    ['an error', 'status 503', () => ({ status: 503, body: Buffer.alloc(0) })],
  ])('are not replaced by %s', async (_, fault, bad) => {
    writeFileSync(join(folder, FILE), mintList(NOW - 20 * DAY))
    const before = shipped()
    answer = bad()
    expect(await update()).toEqual([expect.stringContaining(fault)])
    expect(shipped()).toEqual(before)
    expect(asked).toHaveLength(1)
  })

  it('are never replaced by older ones', async () => {
    writeFileSync(join(folder, FILE), mintList(NOW - 2 * DAY))
    const before = shipped()
    answer = { status: 200, body: mintList(NOW - 3 * DAY) }
    expect(await update()).toEqual([expect.stringContaining('older')])
    expect(shipped()).toEqual(before)
  })

  it('stop the release if AMD has newer ones, and are then left as they are', async () => {
    answer = { status: 200, body: mintList() }
    expect(await update(true)).toEqual([expect.stringContaining('npm run revocation-lists')])
    expect(shipped()).toBeNull()
  })

  it('are checked by the workflow before anything is built', () => {
    const workflow = readFileSync(join(import.meta.dirname, '../../.github/workflows/release.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)
    expect(runs.indexOf('node build/amd-revocation-lists.ts --check')).toBeGreaterThan(0)
    expect(runs.indexOf('node build/amd-revocation-lists.ts --check')).toBeLessThan(runs.indexOf('./.ci/run'))
  })
})
