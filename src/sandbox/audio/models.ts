import type { MediaModelFacts } from '../media/generations.ts'
import { dollars } from '../route/schemas.ts'

export interface AudioModel extends MediaModelFacts {
  readonly task: 'speech' | 'transcription'
  /** 10^-12 USD for a thousand characters that are spoken, or a minute that is heard. */
  readonly picoPerUnit: bigint
  /** Characters of one text that is spoken. */
  readonly maxCharacters?: number
}

/** The specification names the first family's model; the rest is the sandbox's own. The newer of two listeners is the default. */
export const defaultSpeechModel = 'deepgram_aura_2'
const secondSpeechModel = 'sandbox/cantabile-voice'
export const defaultTranscriptionModel = 'sandbox/orecchio-3'

export const audioModels: readonly AudioModel[] = [
  {
    id: defaultTranscriptionModel,
    name: 'Sandbox Orecchio 3',
    addedAt: '2026-06-02',
    contextLength: 1,
    input: ['audio'],
    task: 'transcription',
    picoPerUnit: 6_330_000_000n,
  },
  {
    id: 'sandbox/orecchio-2',
    name: 'Sandbox Orecchio 2',
    addedAt: '2025-11-12',
    contextLength: 1,
    input: ['audio'],
    task: 'transcription',
    picoPerUnit: 4_220_000_000n,
  },
  {
    id: defaultSpeechModel,
    name: 'Sandbox Voices (first family)',
    addedAt: '2026-03-18',
    contextLength: 2000,
    input: ['text'],
    task: 'speech',
    picoPerUnit: 31_650_000_000n,
    maxCharacters: 2000,
  },
  {
    id: secondSpeechModel,
    name: 'Sandbox Cantabile (second family)',
    addedAt: '2026-08-25',
    contextLength: 5000,
    input: ['text'],
    task: 'speech',
    picoPerUnit: 189_900_000_000n,
    maxCharacters: 5000,
  },
]

export function audioPricing(model: AudioModel): object {
  return {
    currency: 'USD',
    base_price: dollars((model.picoPerUnit * 200n) / 211n),
    api_price: dollars(model.picoPerUnit),
    ui_price: dollars((model.picoPerUnit * 330n) / 211n),
    unit: model.task === 'speech' ? '1k characters' : 'minute',
  }
}

/** A voice; its family is that of its model. */
export interface Voice {
  readonly id: string
  readonly model: string
  readonly name: string
  readonly language: string
  readonly provider: string
  /** Hz. */
  readonly pitch: number
}

/** The first family's are called `<name>-en`; the second provider gives its voices identifiers of its own. */
export const voices: readonly Voice[] = [
  ...[
    ['sandbox-ada', 'Ada', 220],
    ['sandbox-bruno', 'Bruno', 110],
    ['sandbox-carla', 'Carla', 262],
  ].map(([id, name, pitch]) => ({
    id: `${id}-en`,
    model: defaultSpeechModel,
    name: String(name),
    language: 'en',
    provider: 'sandbox-first',
    pitch: Number(pitch),
  })),
  {
    id: 'sbxV0ceDolce7aMezza',
    model: secondSpeechModel,
    name: 'Dolce',
    language: 'en',
    provider: 'sandbox-second',
    pitch: 247,
  },
  {
    id: 'sbxV0ceEnergicoGr4ve',
    model: secondSpeechModel,
    name: 'Energico',
    language: 'de',
    provider: 'sandbox-second',
    pitch: 131,
  },
]

export const languages: readonly string[] = [...new Set(voices.map(({ language }) => language))]

/** Without an id, the first voice of the model. */
export function voiceOf(id: string | undefined, model: string): Voice | undefined {
  return voices.find((voice) => voice.model === model && (id === undefined || voice.id === id))
}
