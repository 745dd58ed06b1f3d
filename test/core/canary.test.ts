import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../src/core/core.ts'
import type { ChatEvent, contract } from '../../src/shared/contract/sotto-contract.ts'
import { formsOf } from '../canary.ts'
import {
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../world.ts'
import { windowCaller } from '../window-caller.ts'

/** Contains quotes, a line break and an umlaut, so that escaping changes it. */
const CANARY = 'the "otter" sleeps\nunder Mühlenstraße 7'

const startSavedWorld = (): Promise<World> =>
  startWorld({ vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }) })

async function folderBytes(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

/** Distinctive parts of an answer: finding any of them is a leak. */
function piecesOf(answer: string): string[] {
  const pieces = answer
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= 24)
  expect(pieces.length).toBeGreaterThan(0)
  return pieces
}

async function throughProxy(world: World, model: string, extra: object[] = []): Promise<string> {
  const response = await world.post({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: CANARY }, ...extra] }],
  })
  expect(response.status).toBe(200)
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices[0]!.message.content
}

async function throughWindow(world: World, model: string, attachmentIds: string[] = []): Promise<string> {
  const response = await world.core.api(
    new Request('http://sotto.invalid/api/chat/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { model, text: CANARY, attachmentIds } }),
    }),
    windowCaller,
  )
  let answer = ''
  for (const [, data] of (await response.text()).matchAll(/^data: (.+)$/gm)) {
    const { json } = JSON.parse(data!) as { json?: ChatEvent }
    if (json?.type === 'ended') {
      expect(json.failure).toBeUndefined()
      answer = json.answer.text
    }
  }
  expect(answer).not.toBe('')
  return answer
}

describe('the canary', () => {
  it('is found where a public model is asked: raw, escaped, in base64 and compressed', async () => {
    await using world = await startSavedWorld()
    const image = (bytes: Buffer): object => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
    })
    await throughProxy(world, PLAINTEXT_VISION_MODEL, [
      image(Buffer.from(CANARY)),
      image(gzipSync(CANARY)),
      { type: 'text', text: 'raw: sleeps' },
    ])
    const forms = formsOf(CANARY, Buffer.concat(world.outbound))
    expect(forms).toEqual(expect.arrayContaining(['json', 'base64>raw', 'base64>gzip>raw']))
    expect(formsOf('raw: sleeps', Buffer.concat(world.outbound))).toContain('raw')
    expect(formsOf(CANARY, gzipSync(Buffer.concat(world.outbound)))).toContain('gzip>json')

    await throughWindow(world, PLAINTEXT_MODEL)
    expect(formsOf(CANARY, Buffer.concat(world.outbound))).toContain('json')
    // The search also finds text in compressed files of the folder.
    await writeFile(join(world.folder, 'leak.gz'), gzipSync(CANARY))
    expect(formsOf(CANARY, await folderBytes(world.folder)).length).toBeGreaterThan(0)
  })

  it('is found nowhere where a private model is asked, through the proxy and through the window', async () => {
    await using world = await startSavedWorld()
    const answers = [await throughProxy(world, PRIVATE_MODEL), await throughWindow(world, PRIVATE_MODEL)]
    const outbound = Buffer.concat(world.outbound)
    const folder = await folderBytes(world.folder)
    expect(outbound.length).toBeGreaterThan(500)
    expect(folder.length).toBeGreaterThan(1000)
    for (const text of [CANARY, ...answers.flatMap(piecesOf)]) {
      expect(formsOf(text, outbound)).toEqual([])
      expect(formsOf(text, folder)).toEqual([])
    }
    // The search finds nothing after everything was written and closed.
    await world.core[Symbol.asyncDispose]()
    const closed = await folderBytes(world.folder)
    for (const text of [CANARY, ...answers.flatMap(piecesOf)]) expect(formsOf(text, closed)).toEqual([])
  })

  it('is found nowhere of files that are attached and of drafts, neither on the way nor in the folder, while open and closed', async () => {
    await using world = await startSavedWorld()
    const api: ContractRouterClient<typeof contract> = createORPCClient(
      new RPCLink({
        url: 'http://sotto.invalid/api',
        fetch: (request) => world.core.api(request, windowCaller),
      }),
    )
    const pixels = await readFile(
      join(import.meta.dirname, 'conversations/image-metadata/pictures/picture.png'),
    )
    const add = (name: string, content: Uint8Array<ArrayBuffer> | string, pages?: number) =>
      api.attachments.add({
        name,
        type: '',
        content: new Blob([content]),
        ...(pages !== undefined && { pages }),
      })
    const files = [
      await add(`${CANARY}.txt`, CANARY.repeat(3_000)),
      await add('report.pdf', CANARY, 2),
      await add('picture.png', Uint8Array.from(pixels)),
    ]
    const attachmentIds = files.map(({ id }) => id)
    await api.drafts.save({ text: CANARY, attachmentIds, temporary: false })
    await throughWindow(world, PRIVATE_VISION_MODEL, attachmentIds)
    await api.drafts.save({
      text: `${CANARY}, again`,
      attachmentIds: attachmentIds.slice(0, 1),
      temporary: false,
    })
    await api.drafts.save({ text: CANARY, attachmentIds, temporary: true })

    const image = (
      await api.attachments
        .get({ attachmentId: files[2]!.id })
        .then((blob) => blob.arrayBuffer())
        .then((bytes) => Buffer.from(bytes))
    ).subarray(33)
    const nowhereIn = (bytes: Buffer) => {
      expect(formsOf(CANARY, bytes)).toEqual([])
      expect(bytes.includes(image.subarray(0, 48))).toBe(false)
      expect(bytes.includes(image.toString('base64').slice(8, 64))).toBe(false)
    }
    expect(Buffer.concat(world.outbound).length).toBeGreaterThan(30_000)
    nowhereIn(Buffer.concat(world.outbound))
    nowhereIn(await folderBytes(world.folder))
    await world.core[Symbol.asyncDispose]()
    nowhereIn(await folderBytes(world.folder))
    await writeFile(join(world.folder, 'leak'), pixels)
    expect((await folderBytes(world.folder)).includes(image.subarray(0, 48))).toBe(true)
  })
})
