import { defaultSpeechModel, secondSpeechModel } from './models.ts'

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

/** Of the model alone, where none is named: its first. */
export function voiceOf(id: string | undefined, model: string): Voice | undefined {
  return voices.find((voice) => voice.model === model && (id === undefined || voice.id === id))
}
