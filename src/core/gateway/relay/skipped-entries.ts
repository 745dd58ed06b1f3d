import { msg, type LocalizedText } from '../../../shared/localized-text.ts'
import { ENTRIES_SKIPPED, type Notice } from '../../../shared/status.ts'
import type { Listed } from '../service/http/shapes.ts'

/** The service's lists without their own count in the interface, with the label of each in the notice. */
const LABELS = {
  models: (count) => msg('Models: {count}', { count }),
  embeddings: (count) => msg('Embedding models: {count}', { count }),
  media: (count) => msg('Image and video models: {count}', { count }),
  audio: (count) => msg('Audio models: {count}', { count }),
  transcription: (count) => msg('Transcription models: {count}', { count }),
  voices: (count) => msg('Voices: {count}', { count }),
  data: (count) => msg('Data sources: {count}', { count }),
  methods: (count) => msg('Payment methods: {count}', { count }),
} as const satisfies Record<string, (count: number) => LocalizedText>

export type ServiceList = keyof typeof LABELS

/**
 * Counts the entries of each list that couldn't be read in the service's last answer. Otherwise a shortened
 * list would look complete.
 */
export class SkippedEntries {
  readonly #counts = new Map<ServiceList, number>()

  /** Stores the count of the list and returns the list. */
  note<Entry>(name: ServiceList, list: Listed<Entry>): Listed<Entry> {
    this.#counts.set(name, list.unreadable)
    return list
  }

  /**
   * Returns one notice about all lists, or none. Its ID changes with the counts, so that a dismissed notice
   * returns when they change.
   */
  notices(): Notice[] {
    const skipped = [...this.#counts]
      .filter(([, count]) => count > 0)
      .toSorted(([one], [other]) => one.localeCompare(other))
    if (skipped.length === 0) return []
    const count = skipped.reduce((sum, [, each]) => sum + each, 0)
    const lists = skipped.flatMap(([name, each]) => LABELS[name](each))
    return [
      {
        id: `${ENTRIES_SKIPPED}-${skipped.map(([name, each]) => `${name}-${String(each)}`).join('-')}`,
        says: [
          ...msg(
            '{count, plural, one {# entry of the service’s lists can’t be read and isn’t shown.} other {# entries of the service’s lists can’t be read and aren’t shown.}}',
            { count },
          ),
          ...msg('{lists}.', { lists }),
        ],
        lasting: false,
      },
    ]
  }
}
