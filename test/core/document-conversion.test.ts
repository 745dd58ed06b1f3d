import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { contract } from '../../src/shared/contract/sotto-contract.ts'
import { MAX_DOCUMENT_BYTES } from '../../src/shared/convertible-document.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { SandboxFault } from '../../src/shared/sandbox-faults.ts'
import { formsOf } from '../canary.ts'
import { windowCaller } from '../window-caller.ts'
import { startWorld, type World } from '../world.ts'

const CANARY = 'the grebe of Lindenweg 4 dives'
const NAME = 'medical report of Erika Grebe'
const PATH = '/private/v1/convert/file'

type Client = ContractRouterClient<typeof contract>
let count = 0

function clientOf(world: World): Client {
  return createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
}

const pdf = (text = CANARY): Blob => new Blob([`%PDF-1.7\nBT (${text}) Tj ET\n`])
const docx = (text = CANARY): Blob =>
  new Blob([
    zipSync({ 'word/document.xml': Buffer.from(`<w:document><w:p><w:t>${text}</w:t></w:p></w:document>`) }),
  ])

function convert(
  world: World,
  content: Blob,
  { name = `${NAME}.pdf`, acceptsFee = true, id = `c${String(++count)}` } = {},
) {
  return clientOf(world).documents.convert({ id, name, content, acceptsFee })
}

const refused = (code: string) => ({ data: { code } })
const sent = (world: World) => world.sandbox.received().filter(({ path }) => path === PATH)
const receipts = (world: World): Promise<Receipt[]> => clientOf(world).receipts.list({ limit: 20 })

describe('a document', () => {
  it('is sealed to the verified enclave: no outgoing byte shows its text or name', async () => {
    await using world = await startWorld()
    expect(await convert(world, pdf())).toMatchObject({ text: CANARY, cost: '10000000000' })
    expect(sent(world)).toMatchObject([{ sealed: true, apiKeyPresent: true }])
    const outbound = Buffer.concat(world.outbound)
    expect([...formsOf(CANARY, outbound), ...formsOf(NAME, outbound)]).toEqual([])
    expect(outbound.toString('latin1')).not.toContain('x-private-model')
  })

  it('has a receipt like any other paid request', async () => {
    await using world = await startWorld()
    const { receiptId } = await convert(world, pdf())
    expect(await receipts(world)).toMatchObject([
      {
        id: receiptId,
        path: '/v1/convert/file',
        privacy: 'sealed',
        outcome: 'complete',
        cost: '10000000000',
        caller: { kind: 'window' },
        enclave: { hpkePublicKey: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      },
    ])
    expect(JSON.stringify(await receipts(world))).not.toContain('Grebe')
    expect(world.sandbox.ledger().at(-1)).toMatchObject({ picoUsd: 10_000_000_000n })
  })

  it('is converted once, however often it is attached', async () => {
    await using world = await startWorld()
    await Promise.all([convert(world, pdf()), convert(world, pdf())])
    // It is cached, so that there is no fee to accept.
    expect(await convert(world, pdf(), { acceptsFee: false })).toMatchObject({ text: CANARY })
    expect(sent(world)).toHaveLength(1)
    expect(await receipts(world)).toHaveLength(1)
  })

  it.each(['docx', 'html'])('can be %s', async (ending) => {
    await using world = await startWorld()
    const content = ending === 'docx' ? docx() : new Blob([`<html><p>${CANARY}</p></html>`])
    expect(await convert(world, content, { name: `C:\\files\\a.${ending}` })).toMatchObject({ text: CANARY })
  })

  it('without text is charged, and its error names the receipt', async () => {
    await using world = await startWorld()
    const scan = new Blob(['%PDF-1.7\nno strings'])
    await expect(convert(world, scan)).rejects.toMatchObject({
      data: { code: 'document/no-text', receiptId: expect.any(String) as unknown },
    })
    await expect(convert(world, scan)).rejects.toMatchObject(refused('document/no-text'))
    expect(await receipts(world)).toMatchObject([{ outcome: 'complete', cost: '10000000000' }])
  })
})

describe('nothing is sent', () => {
  it('before the fee is accepted', async () => {
    await using world = await startWorld()
    const before = world.outbound.length
    await expect(convert(world, pdf(), { acceptsFee: false })).rejects.toMatchObject(
      refused('document/fee-not-accepted'),
    )
    expect(world.outbound.length).toBe(before)
  })

  it.each<[string, string, Blob]>([
    ['document/kind', 'a.exe', new Blob(['MZ'])],
    ['document/kind', 'a.docx', pdf()],
    ['document/kind', 'a.pdf', docx()],
    ['document/kind', 'a.pdf', new Blob([])],
    ['document/too-large', 'a.pdf', new Blob(['%PDF-', new Uint8Array(MAX_DOCUMENT_BYTES)])],
  ])('if the file can’t be converted (%s, %s)', async (code, name, content) => {
    await using world = await startWorld()
    await expect(convert(world, content, { name })).rejects.toMatchObject(refused(code))
    expect(sent(world)).toEqual([])
  })

  it('if the service doesn’t offer it', async () => {
    await using world = await startWorld({ profile: ({ documentConversion: _, ...profile }) => profile })
    await expect(convert(world, pdf())).rejects.toMatchObject(refused('document/not-offered'))
    expect((await clientOf(world).app.status()).service.documentConversion).toBeUndefined()
    expect(sent(world)).toEqual([])
  })

  it('without a policy', async () => {
    await using world = await startWorld({ profile: ({ policy: _, ...profile }) => profile })
    await expect(convert(world, pdf())).rejects.toMatchObject(refused('policy/missing'))
    expect(sent(world)).toEqual([])
  })

  it('if the enclave can’t be verified', async () => {
    await using world = await startWorld()
    world.sandbox.setFault('swapped-key', true)
    await expect(convert(world, pdf())).rejects.toMatchObject(refused('attestation/failed'))
    expect(sent(world)).toEqual([])
    expect(await receipts(world)).toMatchObject([
      { privacy: 'refused', outcome: 'refused', path: '/v1/convert/file' },
    ])
  })
})

describe('a response', () => {
  it.each<[SandboxFault, string]>([
    ['plaintext-200', 'channel/plaintext-response'],
    ['cut-inside-frame', 'channel/response-truncated'],
    ['cut-on-frame-boundary', 'channel/response-truncated'],
    ['key-rotation', 'channel/key-rotated'],
  ])(
    'is refused if it isn’t the enclave’s, or is incomplete (%s), and is not cached',
    async (fault, code) => {
      await using world = await startWorld()
      world.sandbox.setFault(fault, true)
      await expect(convert(world, pdf())).rejects.toMatchObject(refused(code))
      world.sandbox.setFault(fault, false)
      expect(await convert(world, pdf())).toMatchObject({ text: CANARY })
    },
  )

  it('that comes unsealed can report the key or the balance, and costs nothing', async () => {
    await using world = await startWorld()
    const before = world.sandbox.ledger().length
    world.sandbox.setFault('status-402', true)
    await expect(convert(world, pdf())).rejects.toMatchObject(refused('service/insufficient-balance'))
    expect(await receipts(world)).toMatchObject([{ outcome: 'failed', code: 'service/insufficient-balance' }])
    expect(world.sandbox.ledger()).toHaveLength(before)
  })

  it('is aborted when Sotto quits', async () => {
    const world = await startWorld()
    world.sandbox.setFault('stalled-stream', true)
    const stopped = expect(convert(world, pdf())).rejects.toMatchObject(refused('request/canceled'))
    await expect.poll(() => sent(world).length).toBe(1)
    await world[Symbol.asyncDispose]()
    await stopped
  })

  it('can be canceled', async () => {
    await using world = await startWorld()
    world.sandbox.setFault('stalled-stream', true)
    const client = clientOf(world)
    const converting = convert(world, pdf(), { id: 'mine' })
    await expect.poll(() => sent(world).length).toBe(1)
    await client.documents.stop({ id: 'another' })
    await client.documents.stop({ id: 'mine' })
    await expect(converting).rejects.toMatchObject(refused('request/canceled'))
    await expect.poll(async () => (await receipts(world)).length).toBe(1)
    expect(await receipts(world)).toMatchObject([{ outcome: 'cancelled' }])
  })
})
