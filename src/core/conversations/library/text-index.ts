import { fold } from '../../../shared/text-index/fold.ts'
import { hasBit } from '../../../shared/text-index/postings.ts'
import { Vocabulary } from './vocabulary.ts'
import { wordsOf, type Wanted } from '../../../shared/text-index/split-words.ts'

/** A conversation that contains all parts of the query. */
export interface Hit {
  readonly conversationId: string
  /** The messages that contain a part of the query, those with the most parts first, without the title. */
  readonly messageIds: readonly string[]
}

interface Group {
  readonly id: string
  at: number
  /** The unit number of its title. */
  title: number
  readonly units: Set<number>
  /** The last query that touched it, and the parts that it has, as bits. */
  round: number
  has: number
}

/**
 * Maps words to the messages and titles that contain them, without their texts, which are read from the
 * store. A changed text gets a new number, and the old one is dead. When half of the numbers are dead, the
 * index is rebuilt.
 */
export class TextIndex {
  readonly #vocabulary = new Vocabulary()
  /** By unit: its group, and the id of the message, or '' for a title. */
  readonly #groupOf: (Group | undefined)[] = []
  readonly #keyOf: string[] = []
  readonly #groups = new Map<string, Group>()
  readonly #unitOf = new Map<string, number>()
  #dead = 0
  #round = 0

  get units(): number {
    return this.#groupOf.length - this.#dead
  }

  /** Whether so many numbers are dead that the index should be rebuilt. */
  get worn(): boolean {
    return this.#dead > 5_000 && this.#dead > this.#groupOf.length / 2
  }

  /** `at` orders the results: the latest first. */
  putConversation(id: string, title: string, at: number): void {
    const group = this.#groups.get(id) ?? { id, at, title: -1, units: new Set<number>(), round: 0, has: 0 }
    group.at = at
    this.#groups.set(id, group)
    group.title = this.#put(group, '', `title/${id}`, title)
  }

  /** Adds a message of a known conversation; ignores others. */
  putMessage(conversationId: string, id: string, text: string): void {
    const group = this.#groups.get(conversationId)
    if (group) this.#put(group, id, `message/${id}`, text)
  }

  /** Call this after many changes: it completes their work before the next query. */
  settle(): void {
    this.#vocabulary.order()
  }

  removeMessage(id: string): void {
    this.#kill(`message/${id}`)
  }

  removeConversation(id: string): void {
    const group = this.#groups.get(id)
    if (!group) return
    for (const unit of [...group.units])
      this.#kill(unit === group.title ? `title/${id}` : `message/${this.#keyOf[unit] ?? ''}`)
    this.#groups.delete(id)
  }

  /**
   * Matches in titles first, then the latest. Messages are listed only for results that are consumed,
   * because there may be thousands.
   */
  *find(wanted: readonly Wanted[]): Generator<Hit, void> {
    if (wanted.length === 0) return
    const marks = wanted.map((one) => this.#mark(one))
    const all = 2 ** marks.length - 1
    const found = this.#groupsOf(marks).filter(({ has }) => has === all)
    const byTitle = new Set(found.filter(({ title }) => marks.every((bits) => hasBit(bits, title))))
    found.sort((a, b) => Number(byTitle.has(b)) - Number(byTitle.has(a)) || b.at - a.at)
    for (const group of found) yield { conversationId: group.id, messageIds: this.#messagesOf(group, marks) }
  }

  /** All conversations with any part of the query, with their parts as bits. */
  #groupsOf(marks: readonly Uint32Array[]): Group[] {
    const round = ++this.#round
    const touched: Group[] = []
    marks.forEach((bits, index) => {
      for (let at = 0; at < bits.length; at += 1) {
        for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
          const group = this.#groupOf[at * 32 + 31 - Math.clz32(word & -word)]
          if (!group) continue
          if (group.round !== round) {
            group.round = round
            group.has = 0
            touched.push(group)
          }
          group.has |= 2 ** index
        }
      }
    })
    return touched
  }

  #messagesOf(group: Group, marks: readonly Uint32Array[]): string[] {
    const counted: { id: string; count: number }[] = []
    for (const unit of group.units) {
      const count = marks.filter((bits) => hasBit(bits, unit)).length
      if (count > 0 && unit !== group.title) counted.push({ id: this.#keyOf[unit] ?? '', count })
    }
    return counted.toSorted((a, b) => b.count - a.count).map(({ id }) => id)
  }

  /** All texts that contain the words of one part. */
  #mark({ indexWords, prefix }: Wanted): Uint32Array {
    const [first = '', ...rest] = indexWords
    const bits = this.#bitsOf(first, prefix)
    for (const word of rest) {
      const more = this.#bitsOf(word, prefix)
      for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) & (more[at] ?? 0)
    }
    return bits
  }

  #bitsOf(word: string, prefix: boolean): Uint32Array {
    const bits = new Uint32Array((this.#groupOf.length + 31) >>> 5)
    if (prefix) this.#vocabulary.markPrefix(word, bits)
    else this.#vocabulary.mark(word, bits)
    return bits
  }

  #put(group: Group, key: string, name: string, text: string): number {
    this.#kill(name)
    const unit = this.#groupOf.length
    this.#groupOf.push(group)
    this.#keyOf.push(key)
    this.#unitOf.set(name, unit)
    group.units.add(unit)
    for (const word of wordsOf(fold(text))) this.#vocabulary.add(word, unit)
    return unit
  }

  #kill(name: string): void {
    const unit = this.#unitOf.get(name)
    if (unit === undefined) return
    this.#unitOf.delete(name)
    this.#groupOf[unit]?.units.delete(unit)
    this.#groupOf[unit] = undefined
    this.#keyOf[unit] = ''
    this.#dead += 1
  }
}
