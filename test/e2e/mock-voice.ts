import { hum, sampleRate, writeWave } from '../../src/sandbox/audio/wave.ts'
import type { VoicePrices } from '../../src/shared/contract/voice.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { speechPieces } from '../../src/shared/speech-pieces.ts'
import { spokenLength } from '../../src/shared/audio-limits.ts'
import { receipt } from './mock-data.ts'

/**
 * Speech of the mock core: a test sets the transcript in advance, and generated speech is a real sound file.
 */
export interface MockVoice {
  prices: VoicePrices
  /** The transcript of the next recording. */
  heard: string
  /** Sizes and types of the received recordings. */
  readonly recordings: {
    readonly bytes: number
    readonly type: string
    readonly durationMs: number
    readonly model: string | undefined
    readonly consentId: string | undefined
  }[]
  readonly spoken: {
    readonly text: string
    readonly voice: string | undefined
    readonly consentId: string | undefined
  }[]
  readonly stopped: string[]
  /** Seconds of silence after the speech. */
  silence: number
  /** Delays a recording or a piece of speech. */
  before: () => Promise<void>
}

export function mockVoice(): MockVoice {
  return {
    prices: {
      listening: [
        { id: 'ear-3', name: 'Ear 3', price: { amount: '6330000000', per: 'minute' } },
        { id: 'ear-2', name: 'Ear 2', price: { amount: '4220000000', per: 'minute' } },
      ],
      speaking: [
        { id: 'mouth', name: 'Mouth', price: { amount: '31650000000', per: 'thousand-characters' } },
      ],
      voices: [{ id: 'ada', name: 'Ada', modelId: 'mouth', language: 'en' }],
    },
    heard: 'said by the microphone',
    recordings: [],
    spoken: [],
    stopped: [],
    silence: 0,
    before: () => Promise.resolve(),
  }
}

interface Parts {
  readonly state: { voice: MockVoice; receipts: Receipt[] }
  readonly refuse: (code: ErrorCode) => never
  readonly newId: (prefix: string) => string
  readonly isPrivate: (conversationId: string | undefined) => boolean
}

export function createMockVoice({ state, refuse, newId, isPrivate }: Parts) {
  const readings = new Map<
    string,
    {
      readonly pieces: string[]
      readonly voice: string | undefined
      readonly conversationId: string | undefined
      allowed: boolean
    }
  >()
  const under = new Map<string, () => void>()
  async function stoppable(id: string): Promise<void> {
    const stopped = new Promise<'stopped'>((resolve) => under.set(id, () => resolve('stopped')))
    if ((await Promise.race([state.voice.before(), stopped])) === 'stopped') refuse('request/canceled')
  }
  function paid(part: Partial<Receipt>): Receipt {
    const storedReceipt = receipt(newId('r'), Date.now(), { privacy: 'forwarded', ...part })
    state.receipts.push(storedReceipt)
    return storedReceipt
  }
  return {
    prices: () => state.voice.prices,
    async transcribe({
      id,
      content,
      durationMs = 0,
      model,
      conversationId,
      chatModel,
      consentId,
    }: {
      id: string
      content: Blob
      durationMs?: number | undefined
      model?: string | undefined
      conversationId?: string | undefined
      chatModel?: string | undefined
      consentId?: string | undefined
    }) {
      if (
        (isPrivate(conversationId) || chatModel?.startsWith('private/') === true) &&
        consentId === undefined
      )
        refuse('privacy/consent-missing')
      state.voice.recordings.push({ bytes: content.size, type: content.type, durationMs, model, consentId })
      await stoppable(id)
      return {
        text: state.voice.heard,
        receipt: paid({
          path: '/v1/audio/transcriptions',
          model: 'ear-3',
          cost: undefined,
          estimate: { least: '4220000000', most: '6330000000' },
        }),
      }
    },
    prepare({
      text,
      voice,
      conversationId,
    }: {
      text: string
      voice?: string | undefined
      conversationId?: string | undefined
    }) {
      const pieces = speechPieces(text)
      const readingId = newId('reading')
      readings.set(readingId, { pieces, voice, conversationId, allowed: false })
      const cost = String(BigInt(spokenLength(pieces.join(''))) * 31_650_000n)
      return { readingId, pieces: pieces.map(spokenLength), estimate: { least: cost, most: cost } }
    },
    async speak({
      readingId,
      piece,
      consentId,
    }: {
      readingId: string
      piece: number
      consentId?: string | undefined
    }) {
      const reading = readings.get(readingId)
      const text = reading?.pieces[piece]
      if (!reading || text === undefined) return refuse('voice/reading-ended')
      if (isPrivate(reading.conversationId) && !reading.allowed && consentId === undefined)
        refuse('privacy/consent-missing')
      reading.allowed = true
      state.voice.spoken.push({ text, voice: reading.voice, consentId })
      await stoppable(readingId)
      return {
        content: new Blob([Uint8Array.from(writeWave(followed(hum(text, 220), state.voice.silence), text))], {
          type: 'audio/wav',
        }),
        receipt: paid({
          path: '/v1/audio/speech',
          model: 'mouth',
          cost: String(BigInt(spokenLength(text)) * 31_650_000n),
        }),
      }
    },
    stop(id: string) {
      state.voice.stopped.push(id)
      under.get(id)?.()
    },
  }
}

function followed(sound: Float32Array, silence: number): Float32Array {
  const all = new Float32Array(sound.length + silence * sampleRate)
  all.set(sound)
  return all
}
