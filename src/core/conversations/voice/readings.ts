import { SottoError } from '../../../shared/errors.ts'
import type { Reading } from '../../../shared/contract/voice.ts'
import type { Caller, Receipt } from '../../../shared/receipt.ts'
import { msg } from '../../../shared/localized-text.ts'
import { speechPieces } from '../../../shared/speech-pieces.ts'
import { spokenLength } from '../../../shared/audio-limits.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { exposedText, refuseInProject, requireConsent } from '../consented.ts'
import type { UnlockedCore } from '../../rpc/context.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { sniffSound } from './sound.ts'

/** A piece lasts two or three minutes, which is far below this limit. */
const MAX_PIECE_BYTES = 32 * 1024 * 1024
/** The number of readings in memory, with their texts; beyond it, the oldest is discarded. */
const MOST_READINGS = 16

export interface ReadingOf {
  readonly text: string
  readonly conversationId?: string | undefined
  readonly model?: string | undefined
  readonly voice?: string | undefined
}

interface Prepared extends ReadingOf {
  readonly pieces: readonly string[]
  /** Whether the reading is allowed: no consent is needed, or the user consented to the whole text. */
  allowed: boolean
}

type Core = Pick<UnlockedCore, 'relay' | 'conversations' | 'consents' | 'store'>

/** Texts that are read aloud piece by piece, only in memory. */
export class Readings {
  readonly #prepared = new Map<string, Prepared>()

  /** Throws voice/empty-text, model/unknown. */
  async prepare({ relay }: Core, of: ReadingOf): Promise<Reading> {
    const pieces = speechPieces(of.text)
    if (pieces.length === 0) throw new SottoError('voice/empty-text')
    const estimates = await Promise.all(
      pieces.map((piece) => relay.estimate({ endpoint: 'audio/speech', body: bodyOf(of, piece) })),
    )
    let total: { least: bigint; most: bigint } | undefined = { least: 0n, most: 0n }
    for (const one of estimates)
      total =
        one === 'unknown' || !total
          ? undefined
          : { least: total.least + one.least, most: total.most + one.most }
    const readingId = crypto.randomUUID()
    this.#prepared.set(readingId, { ...of, pieces, allowed: false })
    for (const id of this.#prepared.keys()) {
      if (this.#prepared.size <= MOST_READINGS) break
      this.#prepared.delete(id)
    }
    return {
      readingId,
      pieces: pieces.map(spokenLength),
      ...(total && { estimate: { least: total.least.toString(), most: total.most.toString() } }),
    }
  }

  /** Throws voice/reading-ended, project/private-only and privacy/consent-… before anything is sent. */
  async speak(
    core: Core,
    { readingId, piece, consentId }: { readingId: string; piece: number; consentId?: string | undefined },
    kind: Caller['kind'],
    signal: AbortSignal,
  ): Promise<{ content: Blob; receipt?: Receipt }> {
    const reading = this.#prepared.get(readingId)
    const text = reading?.pieces[piece]
    if (!reading || text === undefined) throw new SottoError('voice/reading-ended')
    const { conversationId, model } = reading
    // Checked for each piece, because the project may have become private-only since the first one.
    if (conversationId !== undefined) refuseInProject(core, { conversationId })
    if (!reading.allowed && conversationId !== undefined) {
      requireConsent(core, consentId, {
        conversationId,
        purpose: 'read-aloud',
        model,
        exposed: exposedText(reading.text),
      })
    }
    reading.allowed = true
    const answer = await core.relay.open({
      ask: { endpoint: 'audio/speech', body: bodyOf(reading, text) },
      caller: { kind },
      signal,
      mayPayPerRequest: false,
    })
    const bytes = await readBytes(answer.body, MAX_PIECE_BYTES)
    const receipt = answer.receipt()
    const sound = sniffSound(bytes)
    if (!sound)
      throw new SottoError('service/response-invalid', {
        detail: msg('The response isn’t playable audio.'),
        receiptId: answer.receiptId,
      })
    return { content: new Blob([bytes], { type: sound.type }), ...(receipt && { receipt }) }
  }

  end(readingId: string): void {
    this.#prepared.delete(readingId)
  }
}

function bodyOf({ model, voice }: ReadingOf, input: string): JsonObject {
  return { input, ...(model !== undefined && { model }), ...(voice !== undefined && { voice }) }
}
