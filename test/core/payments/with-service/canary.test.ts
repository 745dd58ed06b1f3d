import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import { endedRequest } from '../../../../src/shared/log-events.ts'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { formsOf } from '../../../canary.ts'
import { ask, IMAGE, startPayingWorld, type PayingWorld } from './single-requests-world.ts'

/** The forms of formsOf, and a JSON list of bytes. */
function formsIn(secret: string, bytes: Buffer): string[] {
  const forms = formsOf(secret, bytes)
  if (/^(?:[0-9a-f]{2})+$/.test(secret)) {
    const raw = Buffer.from(secret, 'hex')
    if (bytes.includes(raw)) forms.push('bytes')
    if (bytes.includes(raw.toString('base64url')) || bytes.includes(raw.toString('base64')))
      forms.push('bytes>base64')
    if (bytes.includes(secret.toUpperCase())) forms.push('upper case')
    if (bytes.includes(raw.toJSON().data.join(','))) forms.push('bytes>json')
  }
  return forms
}

async function folderBytes(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

interface Seen {
  /** All text that Sotto emits: logs, answers, refusals, receipts, the window's lists. */
  readonly output: string[]
  readonly secrets: Readonly<Record<string, string>>
}

/** Buys, fails to buy, and is refused. Records all text about that, and every secret in use. */
async function play(world: PayingWorld, output: string[]): Promise<Seen> {
  const simulated = await world.sandbox.wallet()
  const note = async (answer: Promise<unknown>): Promise<void> =>
    void output.push(
      inspect(await answer, { depth: 20, maxStringLength: null }),
      JSON.stringify(await answer),
    )
  const noteAnswer = async (answer: Promise<Response>): Promise<void> => {
    const response = await answer
    output.push(JSON.stringify([...response.headers]), await response.text())
  }
  const connection = simulated.connection('sotto')
  await note(world.call('wallet/connect', { connection }))
  await note(world.call('wallet/connect', { connection: `${connection}&secret=${'7'.repeat(64)}` }))
  await note(world.call('wallet/connectAutomaticTopup', { connection, threshold: '5', amount: '10' }))
  await noteAnswer(ask(world, '/v1/data/api/websearch/search', { query: 'first' }))
  await noteAnswer(ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'second' }))
  const search = 'POST /v1/data/api/websearch/search'
  await simulated.setFault('slow')
  const before = ((await world.call('purchases/list')) as Purchase[])[0]!.id
  const failing = ask(world, '/v1/data/api/websearch/search', { query: 'third' })
  await expect
    .poll(async () => ((await world.call('purchases/list')) as Purchase[])[0])
    .toMatchObject({ state: 'paying', id: expect.not.stringMatching(before) as string })
  ;(await world.sandbox.control()).setRouteFault(search, { status: 500 })
  await simulated.setFault(null)
  await noteAnswer(failing)
  const undelivered = ((await world.call('purchases/list')) as Purchase[])[0]!
  expect(undelivered.state).toBe('undelivered')
  await note(world.call('purchases/retryDelivery', { purchaseId: undelivered.id }))
  for (const path of [
    'wallet/get',
    'wallet/funds',
    'wallet/automaticTopup',
    'purchases/list',
    'receipts/list',
    'app/status',
    'localApi/requests',
    'accounts/list',
  ])
    await note(world.call(path, path === 'localApi/requests' ? { limit: 50 } : {}))
  await noteAnswer(
    fetch(`${world.baseUrl.replace(/\/v1$/, '')}/metrics`, {
      headers: { authorization: `Bearer ${world.key}` },
    }),
  )
  for (const receipt of (await world.call('receipts/list', {})) as Receipt[])
    output.push(JSON.stringify(endedRequest(receipt)))

  const settledPayments = simulated.payments().filter(({ preimage }) => preimage !== null)
  expect(settledPayments.length).toBeGreaterThanOrEqual(3)
  const sent = Buffer.concat(world.outbound).toString()
  const token = /"authorization":"L402 ([^:"]+):/.exec(sent)?.[1]
  expect(token).toBeDefined()
  expect(simulated.publicKey).toMatch(/^[0-9a-f]{64}$/)
  const [account] = (await world.call('accounts/list')) as { id: string }[]
  const { apiKey, creditId } = (await world.call('accounts/reveal', { accountId: account!.id })) as {
    apiKey: string
    creditId: string
  }
  await note(world.call('accounts/activate', { accountId: account!.id }))
  await note(world.call('accounts/balance'))
  const secrets: Record<string, string> = {
    'the API key': apiKey,
    'the credit id': creditId,
    'the wallet’s secret': new URL(connection).searchParams.get('secret')!,
    'the L402 token': token!,
  }
  for (const [index, { preimage }] of settledPayments.slice(-3).entries())
    secrets[`preimage ${String(index)}`] = preimage!
  return { output, secrets }
}

describe('the secrets of payments', () => {
  it('are found in every encoding', async () => {
    const secret = 'c136c510b02796a2437a9dff746285857937259fec36dbc6d1a0e85d6cfc7143'
    const token = 'kQ7"otter\\/+==\n'
    for (const [form, bytes] of [
      ['raw', Buffer.from(`a ${secret} b`)],
      ['bytes', Buffer.concat([Buffer.from('a'), Buffer.from(secret, 'hex')])],
      ['bytes>base64', Buffer.from(`"${Buffer.from(secret, 'hex').toString('base64url')}"`)],
      ['upper case', Buffer.from(secret.toUpperCase())],
      ['bytes>json', Buffer.from(JSON.stringify(Buffer.from(secret, 'hex')))],
      ['hex', Buffer.from(Buffer.from(secret).toString('hex'))],
      ['base64>raw', Buffer.from(Buffer.from(`payload ${secret}`).toString('base64url'))],
    ] as const)
      expect(formsIn(secret, bytes)).toContain(form)
    expect(formsIn(token, Buffer.from(JSON.stringify({ token })))).toContain('json')
    // The search covers plain files of the data folder and the recorded text.
    await using world = await startPayingWorld({ paidBefore: false })
    await writeFile(join(world.folder, 'leak'), Buffer.from(secret, 'hex'))
    expect(formsIn(secret, await folderBytes(world.folder))).toContain('bytes')
    expect(formsIn(secret, Buffer.from(inspect({ deep: { preimage: secret } })))).toContain('raw')
  })

  it('appear in no output, log entry, plaintext file or address', async () => {
    const output: string[] = []
    const { console } = globalThis
    globalThis.console = Object.assign(Object.create(console) as Console, {
      error: (...args: unknown[]) => output.push(inspect(args)),
      warn: (...args: unknown[]) => output.push(inspect(args)),
      log: (...args: unknown[]) => output.push(inspect(args)),
    })
    try {
      const vault = (folder: string): ReturnType<typeof unlockVault> =>
        unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await using world = await startPayingWorld({
        vault,
        log: (name, fields) => void output.push(JSON.stringify([name, fields])),
        confirm: (question) => output.push(question) > 0,
      })
      const { secrets } = await play(world, output)
      expect(output.some((line) => line.startsWith('["payment/changed"'))).toBe(true)
      const outputBytes = Buffer.from(output.join('\n'))
      const open = await folderBytes(world.folder)
      const addresses = Buffer.from(
        world.outbound
          .map((bytes) => /^(?:GET|POST|DELETE|PATCH) (\S+)\n/.exec(bytes.toString('latin1'))?.[1] ?? '')
          .join('\n'),
      )
      const sent = Buffer.concat(world.outbound)
      await world.core[Symbol.asyncDispose]()
      const closed = await folderBytes(world.folder)
      expect(open.length).toBeGreaterThan(10_000)
      for (const [name, secret] of Object.entries(secrets)) {
        expect([
          name,
          formsIn(secret, outputBytes),
          formsIn(secret, open),
          formsIn(secret, closed),
          formsIn(secret, addresses),
        ]).toEqual([name, [], [], [], []])
      }
      // Requests about the account contain its credentials, in a header or a body.
      expect([
        ...formsIn(secrets['the API key']!, sent),
        ...formsIn(secrets['the credit id']!, sent),
      ]).not.toEqual([])
      // The proof of a payment goes to the service, in its header. The wallet's key is never sent.
      expect(formsIn(secrets['preimage 0']!, sent)).not.toEqual([])
      expect(formsIn(secrets['the wallet’s secret']!, sent)).toEqual([])
    } finally {
      globalThis.console = console
    }
  }, 120_000)
})
