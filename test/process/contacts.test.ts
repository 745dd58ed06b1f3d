import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { writeChosenService } from '../../src/host/chosen-service.ts'
import { contactSchema } from '../../src/shared/contact.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../world.ts'
import { startSotto, type SottoProcess } from './sotto-process.ts'

/** The whole product in its own process, which logs every connection that it opens. */
let folder: string
let sotto: SottoProcess
const connections = () => [
  ...new Set(readFileSync(join(folder, 'connections'), 'utf8').split('\n').filter(Boolean)),
]
const contacts = async () => z.array(contactSchema).parse(await sotto.call('diagnostics/contacts', {}))

async function start(): Promise<void> {
  writeFileSync(join(folder, 'connections'), '')
  sotto = await startSotto(folder, {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'record-connections.mjs')).href}`,
    SOTTO_TEST_CONNECTIONS: join(folder, 'connections'),
    HTTPS_PROXY: '',
    https_proxy: '',
  })
}

/** The requests that a person can make in one session, regardless of their answers. */
async function tour(model: string): Promise<void> {
  const read = async (path: string, input: unknown = {}) => {
    await (await sotto.api(path, input)).text()
  }
  for (const path of [
    'app/status',
    'models/list',
    'privacy/verdict',
    'privacy/trust',
    'receipts/list',
    'conversations/list',
    'localApi/get',
    'purchases/dataEndpoints',
    'topups/methods',
    'accounts/list',
    'accounts/balance',
    'serviceKeys/list',
    'wallet/get',
    'voice/prices',
  ])
    await read(path)
  await read('privacy/verify')
  await read('history/page', { limit: 20 })
  await read('chat/send', { model, text: 'A quiet voice' })
  await read('accounts/create', { name: 'Another' })
  const { baseUrl, key } = sotto.ready.proxy
  const asked = {
    method: 'POST',
    headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
  }
  for (const [path, body] of [
    ['chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] }],
    ['embeddings', { model: 'any', input: 'text' }],
    ['audio/speech', { model: 'any', input: 'text', voice: 'any' }],
    ['images/generations', { model: 'any', prompt: 'text' }],
    ['videos', { model: 'any', prompt: 'text' }],
  ] as const)
    await (await fetch(`${baseUrl}/${path}`, { ...asked, body: JSON.stringify(body) })).text()
}

afterEach(async () => {
  await sotto.stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

describe('the hosts that the window lists', () => {
  it('are all that a tour of the sandbox connects to, and are on this computer', async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-contacts-'))
    await start()
    await tour(PRIVATE_MODEL)
    await tour(PLAINTEXT_MODEL)
    const listed = await contacts()
    expect(listed.map(({ use, loopback }) => [use, loopback])).toEqual([
      ['service', true],
      ['service-enclave', true],
      ['image-record', true],
    ])
    const opened = connections()
    expect(opened).toContain(listed[0]?.host)
    // Connections within this computer: the trial of a local key, and the command to its owner.
    expect(opened.filter((host) => !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))).toEqual([])
  })

  it('are all that a tour of a real service would connect to', async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-contacts-'))
    await writeChosenService(folder, 'ppq')
    await start()
    await tour('private/any')
    const listed = await contacts()
    expect(listed).toEqual([
      { host: 'api.ppq.ai', use: 'service', loopback: false },
      { host: 'enclave.ppq.ai', use: 'service-enclave', loopback: false },
      { host: 'raw.githubusercontent.com', use: 'image-record', loopback: false },
      { host: 'kdsintf.amd.com', use: 'revocation-lists', loopback: false },
    ])
    const left = connections().filter((host) => !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
    expect(left.length).toBeGreaterThan(0)
    expect(
      left.filter(
        (host) =>
          !/^(?:api\.ppq\.ai|enclave\.ppq\.ai|raw\.githubusercontent\.com|kdsintf\.amd\.com)(:443)?$/.test(
            host,
          ),
      ),
    ).toEqual([])
  })

  it('are all that a tour without a service would connect to', async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-contacts-'))
    await writeChosenService(folder, 'tinfoil')
    await start()
    await tour('private/any')
    expect(await contacts()).toEqual([
      { host: 'inference.tinfoil.sh', use: 'enclave-direct', loopback: false },
    ])
    const left = connections().filter((host) => !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
    expect(left.length).toBeGreaterThan(0)
    expect(left.filter((host) => !/^inference\.tinfoil\.sh(:443)?$/.test(host))).toEqual([])
  })
})
