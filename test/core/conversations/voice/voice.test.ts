import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { expect, it } from 'vitest'
import type { contract } from '../../../../src/shared/contract/sotto-contract.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'
import { windowCaller } from '../../../window-caller.ts'

const LISTENER = 'sandbox/orecchio-3'
const SPEAKER = 'deepgram_aura_2'

/** The window's client of the contract. */
function windowOf(world: World): ContractRouterClient<typeof contract> {
  return createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
}

const refusedWith = (code: string) =>
  expect.objectContaining({ data: expect.objectContaining({ code }) as object }) as object

async function conversationWith(world: World, model: string, text: string): Promise<string> {
  let id = ''
  for await (const event of await windowOf(world).chat.send({ model, text }))
    if (event.type === 'started') id = event.conversation.id
  return id
}

const audioRequests = (world: World) =>
  world.sandbox.received().filter(({ path, method }) => method === 'POST' && path.includes('/audio/'))
const webm = (bytes = 32_000) =>
  new Blob([Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3), new Uint8Array(bytes)], { type: 'audio/webm;codecs=opus' })

it('lists the models that transcribe and the models that speak, with their prices', async () => {
  await using world = await startWorld()
  const { listening, speaking, voices } = await windowOf(world).voice.prices()
  expect(listening).toContainEqual({
    id: LISTENER,
    name: 'Sandbox Orecchio 3',
    price: { amount: '6330000000', per: 'minute' },
  })
  expect(speaking).toContainEqual({
    id: SPEAKER,
    name: 'Sandbox Voices (first family)',
    price: { amount: '31650000000', per: 'thousand-characters' },
  })
  expect(listening.some(({ id }) => speaking.some((speaker) => speaker.id === id))).toBe(false)
  expect(voices).toContainEqual({
    id: 'sandbox-ada-en',
    name: 'Ada',
    modelId: SPEAKER,
    language: 'en',
    provider: 'sandbox-first',
  })
})

it('speaks a text piece by piece at the estimated cost, and transcribes the speech', async () => {
  await using world = await startWorld()
  const text = 'This sentence is spoken, and another one after it. '.repeat(30)
  const reading = await windowOf(world).voice.prepare({ text, model: SPEAKER, voice: 'sandbox-ada-en' })
  expect(reading.pieces.length).toBeGreaterThan(1)
  expect(audioRequests(world)).toEqual([])
  let cost = 0n
  let heard = ''
  for (const piece of reading.pieces.keys()) {
    const { content, receipt } = await windowOf(world).voice.speak({ readingId: reading.readingId, piece })
    expect(receipt).toMatchObject({ privacy: 'forwarded', outcome: 'complete', caller: { kind: 'window' } })
    cost += BigInt(receipt?.cost ?? 'none')
    const { text: written, receipt: heardReceipt } = await windowOf(world).voice.transcribe({
      content: content,
      id: 'r',
      model: LISTENER,
      durationMs: 61_000,
    })
    heard += `${written} `
    // A minute and a second is estimated as two minutes at most. The service does not report the charge.
    expect(heardReceipt).toMatchObject({
      privacy: 'forwarded',
      estimate: { least: '6435500000', most: '12660000000' },
    })
    expect(heardReceipt?.cost).toBeUndefined()
  }
  expect(heard).toBe(text)
  expect(reading.estimate).toEqual({ least: cost.toString(), most: cost.toString() })
})

it('sends a recording with its file type', async () => {
  await using world = await startWorld()
  const { text } = await windowOf(world).voice.transcribe({ content: webm(), id: 'r' })
  expect(text).toContain('recording.webm is about 2 seconds long')
})

it('refuses a file that is not a recording, and sends nothing', async () => {
  await using world = await startWorld()
  const refused = refusedWith('voice/invalid-recording')
  await expect(windowOf(world).voice.transcribe({ content: new Blob([]), id: 'r' })).rejects.toEqual(refused)
  await expect(windowOf(world).voice.transcribe({ content: new Blob(['<html>']), id: 'r' })).rejects.toEqual(
    refused,
  )
  await expect(windowOf(world).voice.transcribe({ content: webm(25_000_000), id: 'r' })).rejects.toEqual(
    refused,
  )
  await expect(
    windowOf(world).voice.transcribe({ content: new Blob(['OggS0000']), id: 'r' }),
  ).rejects.toEqual(refused)
  await expect(
    windowOf(world).voice.transcribe({ content: webm(), id: 'r', model: 'private/whisper' }),
  ).rejects.toEqual(refusedWith('privacy/path'))
  expect(await world.call('voice/prepare', { text: ' \n ' })).toMatchObject({
    data: { code: 'voice/empty-text' },
  })
  expect(await world.call('voice/speak', { readingId: 'none', piece: 0 })).toMatchObject({
    data: { code: 'voice/reading-ended' },
  })
  expect(audioRequests(world)).toEqual([])
})

it('transcribes and speaks in a private conversation only with a consent, which is valid once', async () => {
  await using world = await startWorld()
  const conversationId = await conversationWith(world, PRIVATE_MODEL, 'between us')
  const transcribe = (input: object) =>
    windowOf(world).voice.transcribe({ content: webm(), id: 'r', ...input })
  await expect(transcribe({ conversationId })).rejects.toEqual(refusedWith('privacy/consent-missing'))
  const { readingId } = await windowOf(world).voice.prepare({
    text: 'A secret.',
    conversationId,
    model: SPEAKER,
  })
  await expect(windowOf(world).voice.speak({ readingId, piece: 0 })).rejects.toEqual(
    refusedWith('privacy/consent-missing'),
  )
  expect(audioRequests(world)).toEqual([])

  const dictate = await windowOf(world).consents.preview({
    conversationId,
    purpose: 'dictate',
    models: [LISTENER],
  })
  expect(await transcribe({ conversationId, model: LISTENER, consentId: dictate.consentId })).toMatchObject({
    text: expect.any(String) as string,
  })
  await expect(transcribe({ conversationId, model: LISTENER, consentId: dictate.consentId })).rejects.toEqual(
    refusedWith('privacy/consent-expired'),
  )

  const other = await windowOf(world).consents.preview({
    conversationId,
    purpose: 'read-aloud',
    models: [SPEAKER],
    text: 'Another text.',
  })
  await expect(
    windowOf(world).voice.speak({ readingId, piece: 0, consentId: other.consentId }),
  ).rejects.toEqual(refusedWith('privacy/consent-changed'))
  const aloud = await windowOf(world).consents.preview({
    conversationId,
    purpose: 'read-aloud',
    models: [SPEAKER],
    text: 'A secret.',
  })
  expect(
    (await windowOf(world).voice.speak({ readingId, piece: 0, consentId: aloud.consentId })).content.size,
  ).toBeGreaterThan(1000)
  // The same reading continues under the same consent.
  expect((await windowOf(world).voice.speak({ readingId, piece: 0 })).content.size).toBeGreaterThan(1000)
})

it('needs a consent before a new private conversation, and none before another conversation', async () => {
  await using world = await startWorld()
  const transcribe = (input: object) =>
    windowOf(world).voice.transcribe({ content: webm(), id: 'r', ...input })
  await expect(transcribe({ chatModel: PRIVATE_MODEL })).rejects.toEqual(
    refusedWith('privacy/consent-missing'),
  )
  const { consentId } = await windowOf(world).consents.preview({ conversationId: 'new', purpose: 'dictate' })
  expect(await transcribe({ chatModel: PRIVATE_MODEL, consentId })).toMatchObject({
    text: expect.any(String) as string,
  })
  expect(await transcribe({ chatModel: PLAINTEXT_MODEL })).toMatchObject({
    text: expect.any(String) as string,
  })
  const conversationId = await conversationWith(world, PLAINTEXT_MODEL, 'aloud')
  expect(await transcribe({ conversationId, chatModel: PLAINTEXT_MODEL })).toMatchObject({
    text: expect.any(String) as string,
  })
  await expect(transcribe({ conversationId, chatModel: PRIVATE_MODEL })).rejects.toEqual(
    refusedWith('privacy/consent-missing'),
  )
})

it('cancels a request in progress', async () => {
  let sent: () => void = () => undefined
  const leaving = new Promise<void>((resolve) => (sent = resolve))
  await using world = await startWorld({
    fetch: (fetch) => (url, init) => {
      if (!url.includes('/audio/transcriptions')) return fetch(url, init)
      sent()
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError'))),
      )
    },
  })
  const transcript = expect(
    windowOf(world).voice.transcribe({ content: webm(), id: 'recording-7' }),
  ).rejects.toEqual(refusedWith('request/canceled'))
  await leaving
  await world.call('voice/stop', { id: 'recording-7' })
  await transcript
  await world.call('voice/stop', { id: 'nothing' })
})

it('leaves the choice of the model to the service in Revision A', async () => {
  await using world = await startWorld({
    revision: 'A',
    profile: (profile) => ({ ...profile, revision: 'A', alternativeBaseUrl: profile.baseUrl }),
  })
  expect(await world.call('voice/prices')).toMatchObject({ listening: [], voices: [] })
  expect(await windowOf(world).voice.transcribe({ content: webm(), id: 'r' })).toMatchObject({
    text: expect.any(String) as string,
  })
  const { readingId } = await windowOf(world).voice.prepare({ text: 'Hello.' })
  expect((await windowOf(world).voice.speak({ readingId, piece: 0 })).content.size).toBeGreaterThan(1000)
})
