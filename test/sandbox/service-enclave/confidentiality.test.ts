import { readdir, readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { createAccount, sandboxFolder, type TestAccount } from '../cached-roots.ts'
import { fetchEvidence, sealedChat } from './enclave-client.ts'

const canary = 'canary-osprey-4711'

let folder: string
let sandbox: Sandbox
let account: TestAccount
let wire: Wire
beforeAll(async () => {
  folder = await sandboxFolder()
  sandbox = await startSandbox({ folder, pace: 'none', serviceEnclave: true })
  account = await createAccount(sandbox)
  wire = await recordWire(sandbox)
})
afterAll(async () => {
  wire.server.close()
  await sandbox.close()
})

interface Wire {
  readonly server: Server
  readonly baseUrl: string
  /** Every byte in both directions. */
  readonly seen: Buffer[]
}

/** The bytes that the service's hosts see between the caller and the enclave. */
async function recordWire({ baseUrl }: Sandbox): Promise<Wire> {
  const seen: Buffer[] = []
  const server = createServer((caller) => {
    const host = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    for (const [from, to] of [
      [caller, host],
      [host, caller],
    ] as const) {
      from.on('data', (chunk: Buffer) => seen.push(chunk))
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { server, seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function ask(body: object): Promise<Awaited<ReturnType<typeof sealedChat>>> {
  const key = (await fetchEvidence(sandbox)).hpke_public_key
  return sealedChat({ ...sandbox, baseUrl: wire.baseUrl }, body, {
    key,
    headers: { authorization: `Bearer ${account.apiKey}`, connection: 'close' },
  })
}

const messages = [{ role: 'user', content: `Say that ${canary} keeps through the winter` }]

/** Every place outside the enclave where text of a conversation could appear. */
async function outside(): Promise<Record<string, string>> {
  const files = await readdir(folder)
  const control = await sandbox.control()
  const history = await fetch(`${sandbox.baseUrl}/queries/history`, {
    headers: { authorization: `Bearer ${account.apiKey}` },
  })
  const text = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  return {
    wire: Buffer.concat(wire.seen).toString('latin1'),
    received: text(sandbox.received()),
    ledger: text(sandbox.ledger()),
    records: text(control.records()),
    history: await history.text(),
    ...Object.fromEntries(
      await Promise.all(
        files.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const),
      ),
    ),
  }
}

test.each([
  ['an answer', { model: 'sandbox/allegro-mini', messages }, 200],
  ['a stream', { model: 'sandbox/allegro-mini', messages, stream: true }, 200],
  ['a model that is unknown', { model: 'sandbox/nobody', messages }, 404],
  ['a request of another form', { model: 'sandbox/allegro-mini', messages: [{ role: canary }] }, 400],
  [
    'a tool that is not there',
    {
      model: 'sandbox/allegro-mini',
      messages,
      tool_choice: { type: 'function', function: { name: canary } },
    },
    400,
  ],
  ['a model with the word in its name', { model: canary, messages }, 404],
])('%s: neither question nor answer is readable outside of the enclave', async (_, body, status) => {
  wire.seen.length = 0
  sandbox.clearReceived()
  const answer = await ask(body)
  expect(answer.status).toBe(status)
  if (status === 200) expect(answer.text).toContain('osprey')
  const places = await outside()
  expect(places['wire']).toContain('POST /service-enclave/v1/chat/completions')
  expect(sandbox.received().filter(({ method }) => method === 'POST')).toMatchObject([
    { path: '/service-enclave/v1/chat/completions', sealed: true },
  ])
  for (const [place, text] of Object.entries(places))
    expect([place, text.includes('osprey')]).toEqual([place, false])
  // The log of requests contains no credential.
  expect(places['received']).not.toContain(account.apiKey)
})

test('the canary is readable if it is not sealed, so the test above can fail', async () => {
  wire.seen.length = 0
  await (
    await fetch(`${wire.baseUrl}/service-enclave/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ model: 'sandbox/allegro-mini', messages }),
    })
  ).text()
  expect((await outside())['wire']).toContain(canary)
})

test('the hosts’ part has no key and opens nothing', async () => {
  const source = await readFile(
    resolve(import.meta.dirname, '../../../src/sandbox/routes/service-enclave.ts'),
    'utf8',
  )
  const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path)
  expect(imports).toContain('../service-enclave/inside.ts')
  expect(imports.filter((path) => /ehbp|keys|parse|serve-completion|issue-receipt/.test(path ?? ''))).toEqual(
    [],
  )
})
